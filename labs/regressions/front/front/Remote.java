package front;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A service of somebody else, on a port of its own: says of each item in {@code ?items=a,b} a
 * number, one a line, in their order.
 */
public final class Remote {
    private Remote() {}

    /** Starts it; the result is its address, without the question mark. */
    public static URI start() {
        try {
            HttpServer server = Front.server(0);
            server.setExecutor(Executors.newFixedThreadPool(4, Remote::daemon));
            server.createContext("/prices", exchange -> {
                try (exchange) {
                    byte[] body = numbers(exchange.getRequestURI().getQuery()).getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(200, body.length);
                    exchange.getResponseBody().write(body);
                }
            });
            server.start();
            return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/prices");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Thread daemon(Runnable task) {
        Thread thread = new Thread(task, "remote");
        thread.setDaemon(true);
        return thread;
    }

    private static String numbers(String query) {
        return Stream.of(query.substring("items=".length()).split(","))
                .map(item -> Integer.toString(Math.floorMod(item.hashCode(), 9_000) + 100))
                .collect(Collectors.joining("\n", "", "\n"));
    }
}
