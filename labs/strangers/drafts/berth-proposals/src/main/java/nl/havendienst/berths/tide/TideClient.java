package nl.havendienst.berths.tide;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.LocalDateTime;
import nl.havendienst.berths.web.Json;

/** Asks the waterways authority for predicted water levels. */
public final class TideClient {

    private static final Duration TIMEOUT = Duration.ofSeconds(5);

    private final HttpClient http = HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_1_1)
            .connectTimeout(TIMEOUT)
            .build();
    private final URI base;
    private final Json json;

    public TideClient(URI base, Json json) {
        this.base = base;
        this.json = json;
    }

    public TideCurve curve(LocalDateTime from, LocalDateTime until) {
        HttpRequest request = HttpRequest.newBuilder(base.resolve("/levels?from=" + from + "&until=" + until))
                .timeout(TIMEOUT)
                .GET()
                .build();
        try {
            HttpResponse<byte[]> response = http.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200) {
                throw new IllegalStateException("tide service answered " + response.statusCode());
            }
            return json.read(response.body(), TideCurve.class);
        } catch (IOException e) {
            throw new UncheckedIOException("tide service not reached", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }
}
