package dev.tacho.warmup.tests;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;

/** Somebody outside. */
public final class Client {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final HttpClient http = HttpClient.newHttpClient();
    private final String server;

    Client(int port) {
        server = "http://127.0.0.1:" + port;
    }

    public HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path)).timeout(PATIENCE);
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
