package dev.tacho.warmup.tests;

import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.function.IntSupplier;

/** Somebody outside. */
public final class Client {

    private static final Duration PATIENCE = Duration.ofSeconds(120);

    private final HttpClient http = HttpClient.newHttpClient();
    private final IntSupplier port;

    /** Of whom listens there; 0 is nobody. */
    Client(IntSupplier port) {
        this.port = port;
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        int listening = port.getAsInt();
        if (listening == 0) {
            throw new ConnectException("nobody listens yet");
        }
        URI uri = URI.create("http://127.0.0.1:" + listening + path);
        HttpRequest.Builder request = HttpRequest.newBuilder(uri).timeout(PATIENCE);
        // A connection each, as a kubelet's probe has: Reactor Netty may stop to read from one that
        // is kept (reactor-netty issue 4361).
        request.header("Connection", "close");
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    int status(String path, String... headers) throws IOException, InterruptedException {
        return get(path, headers).statusCode();
    }

    /** 0 while nobody listens. */
    int readiness() throws InterruptedException {
        try {
            return status("/actuator/health/readiness");
        } catch (IOException nobodyListens) {
            return 0;
        }
    }
}
