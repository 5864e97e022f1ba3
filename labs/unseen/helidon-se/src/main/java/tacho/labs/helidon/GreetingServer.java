package tacho.labs.helidon;

import io.helidon.webserver.WebServer;
import io.helidon.webserver.http.HttpRouting;
import io.helidon.webserver.observe.ObserveFeature;

/** A greeting, and the health of the one who greets at {@code /observe/health}. */
public final class GreetingServer {

    private GreetingServer() {
    }

    public static void main(String[] args) {
        String port = System.getenv("PORT");
        WebServer.builder()
                .port(port == null ? 8080 : Integer.parseInt(port))
                .addFeature(ObserveFeature.create())
                .routing(GreetingServer::route)
                .build()
                .start();
    }

    private static void route(HttpRouting.Builder routes) {
        routes.get("/greet", (request, response) -> response.send("hello, world"))
                .get("/greet/{name}", (request, response) ->
                        response.send("hello, " + request.path().pathParameters().get("name")));
    }
}
