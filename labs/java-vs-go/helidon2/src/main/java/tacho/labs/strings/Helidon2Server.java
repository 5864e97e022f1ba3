package tacho.labs.strings;

import io.helidon.common.http.Http;
import io.helidon.webserver.Handler;
import io.helidon.webserver.Routing;
import io.helidon.webserver.ServerRequest;
import io.helidon.webserver.ServerResponse;
import io.helidon.webserver.WebServer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.function.Function;

/** The string service on Helidon SE 2: Netty's event loops do all the work, the log included. */
public final class Helidon2Server {

    private static final String JSON = "application/json";

    private final Application application = new Application();

    public static void main(String[] args) {
        new Helidon2Server().start(Application.port());
    }

    private void start(int port) {
        WebServer.builder(routing()).port(port).build().start()
                .thenAccept(server -> System.out.println("listening on port " + server.port()))
                .exceptionally(e -> {
                    e.printStackTrace();
                    System.exit(1);
                    return null;
                });
    }

    private Routing routing() {
        Routing.Builder routes = Routing.builder()
                .post("/uppercase", onString(application::uppercase))
                .post("/count", onString(application::count))
                .get("/health", (request, response) -> send(response, JSON, Json.health()))
                .get("/metrics", (request, response) -> send(response, application.metricsType(), application.metrics()));
        Map.of("/uppercase", "POST", "/count", "POST", "/health", "GET", "/metrics", "GET").forEach((path, method) ->
                routes.any(path, (request, response) -> {
                    response.headers().put(Http.Header.ALLOW, method);
                    refuse(response, Refusal.METHOD_NOT_ALLOWED);
                }));
        return routes.any((request, response) -> refuse(response, Refusal.NO_SUCH_PATH)).build();
    }

    private static Handler onString(Function<String, byte[]> operation) {
        return (request, response) -> {
            if (!Json.isType(request.headers().first(Http.Header.CONTENT_TYPE).orElse(null))) {
                refuse(response, Refusal.NOT_JSON_TYPE);
                return;
            }
            request.content().as(byte[].class)
                    .thenAccept(body -> answer(response, operation, body))
                    .exceptionally(e -> fail(request, e));
        };
    }

    private static void answer(ServerResponse response, Function<String, byte[]> operation, byte[] body) {
        String s;
        try {
            s = Json.read(new ByteArrayInputStream(body));
        } catch (RefusedException e) {
            refuse(response, e.refusal());
            return;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        send(response, JSON, operation.apply(s));
    }

    private static Void fail(ServerRequest request, Throwable e) {
        request.next(e);
        return null;
    }

    private static void refuse(ServerResponse response, Refusal refusal) {
        response.status(refusal.status);
        send(response, JSON, Json.refused(refusal));
    }

    private static void send(ServerResponse response, String type, byte[] body) {
        response.headers().put(Http.Header.CONTENT_TYPE, type);
        response.send(body);
    }
}
