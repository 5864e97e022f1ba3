package tacho.labs.strings;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.Handler;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;

/** The string service on Helidon SE: each request has a virtual thread of its own. */
public final class HelidonServer {

    private static final String JSON = "application/json";

    private final Application application = new Application();

    public static void main(String[] args) {
        new HelidonServer().start(Application.port());
    }

    private void start(int port) {
        WebServer server = WebServer.builder().port(port).routing(this::route).build().start();
        System.out.println("listening on port " + server.port());
    }

    private void route(HttpRouting.Builder routes) {
        routes.post("/uppercase", onString(application::uppercase))
                .post("/count", onString(application::count))
                .get("/health", (request, response) -> send(response, JSON, Json.health()))
                .get("/metrics", (request, response) -> send(response, application.metricsType(), application.metrics()));
        Map.of("/uppercase", "POST", "/count", "POST", "/health", "GET", "/metrics", "GET").forEach((path, method) ->
                routes.any(path, (request, response) -> {
                    response.header(HeaderNames.ALLOW, method);
                    refuse(response, Refusal.METHOD_NOT_ALLOWED);
                }));
        routes.any((request, response) -> refuse(response, Refusal.NO_SUCH_PATH));
        routes.error(RefusedException.class, (request, response, refused) -> refuse(response, refused.refusal()));
    }

    private static Handler onString(Function<String, byte[]> operation) {
        return (request, response) -> send(response, JSON, operation.apply(read(request)));
    }

    private static String read(ServerRequest request) {
        if (!Json.isType(request.headers().first(HeaderNames.CONTENT_TYPE).orElse(null))) {
            throw new RefusedException(Refusal.NOT_JSON_TYPE);
        }
        try (InputStream body = request.content().hasEntity()
                ? request.content().inputStream() : InputStream.nullInputStream()) {
            return Json.read(body);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void refuse(ServerResponse response, Refusal refusal) {
        response.status(Status.create(refusal.status));
        send(response, JSON, Json.refused(refusal));
    }

    private static void send(ServerResponse response, String type, byte[] body) {
        response.header(HeaderNames.CONTENT_TYPE, type);
        response.send(body);
    }
}
