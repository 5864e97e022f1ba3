package tacho.labs.users;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Speaks to the running service as anybody does. */
record Client(int port) {

    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final JsonMapper JSON = JsonMapper.builder().build();

    /** What came back. */
    record Answer(int status, String type, JsonNode body) {

        /** The text at a field. */
        String text(String field) {
            return body.path(field).asString();
        }
    }

    Answer post(String body) throws IOException, InterruptedException {
        return post(body, "application/json");
    }

    Answer post(String body, String type) throws IOException, InterruptedException {
        return send(request("/api/users").header("Content-Type", type).POST(BodyPublishers.ofString(body)));
    }

    Answer get(String path) throws IOException, InterruptedException {
        return send(request(path));
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
    }

    private static Answer send(HttpRequest.Builder request) throws IOException, InterruptedException {
        HttpResponse<String> response = HTTP.send(request.build(), BodyHandlers.ofString());
        String type = response.headers().firstValue("Content-Type").orElse("");
        return new Answer(response.statusCode(), type, JSON.readTree(response.body()));
    }
}
