package tacho.labs.strings;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** Everything but the server: what comes in as a body goes out as a body. */
public final class Application {

    private final PrometheusRegistry registry = new PrometheusRegistry();
    private final PrometheusTextFormatWriter exposition = PrometheusTextFormatWriter.create();
    private final StringService strings;

    /**
     * Asks the environment: {@code LOG_REQUESTS=true} puts a line in the log for each request, and
     * {@code LOG_HANDLER} says who writes it.
     */
    public Application() {
        // One line a record, as the Go service writes it. Read by the logging classes when they are
        // loaded.
        System.setProperty("java.util.logging.SimpleFormatter.format", "ts=%1$tFT%1$tT.%1$tL level=%4$s %5$s%6$s%n");
        StringService plain = new PlainStrings();
        boolean logged = Boolean.parseBoolean(System.getenv("LOG_REQUESTS"));
        LogWriter writer = LogWriter.of(System.getenv("LOG_HANDLER"));
        strings = new MeasuredStrings(logged ? new LoggedStrings(plain, writer) : plain, registry);
    }

    /** The port to listen on: {@code PORT}, else 8080. */
    public static int port() {
        String port = System.getenv("PORT");
        return port == null ? 8080 : Integer.parseInt(port);
    }

    /** {@code POST /uppercase}. */
    public byte[] uppercase(String s) {
        try {
            return Json.value(strings.uppercase(s));
        } catch (EmptyStringException e) {
            return Json.failed(e.getMessage());
        }
    }

    /** {@code POST /count}. */
    public byte[] count(String s) {
        return Json.value(strings.count(s));
    }

    /** {@code GET /metrics}. */
    public byte[] metrics() {
        ByteArrayOutputStream text = new ByteArrayOutputStream(4096);
        try {
            exposition.write(text, registry.scrape());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return text.toByteArray();
    }

    /** The {@code Content-Type} of {@link #metrics()}. */
    public String metricsType() {
        return exposition.getContentType();
    }
}
