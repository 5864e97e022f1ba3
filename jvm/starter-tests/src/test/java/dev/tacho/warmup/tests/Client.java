package dev.tacho.warmup.tests;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** Somebody outside. */
final class Client {

    private final HttpClient http = HttpClient.newHttpClient();
    private final String server;

    Client(int port) {
        server = "http://127.0.0.1:" + port;
    }

    HttpResponse<String> get(String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(server + path));
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
