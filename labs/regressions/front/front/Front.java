package front;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/**
 * What the services have instead of a framework: one page at {@code /}, on a port of the loopback
 * address, by a fixed pool of threads.
 */
public final class Front {
    private final Supplier<String> page;

    private Front(Supplier<String> page) {
        this.page = page;
    }

    /** Serves the page until the process is ended. The port is the first argument. */
    public static void serve(String[] arguments, int threads, Supplier<String> page) {
        try {
            HttpServer server = server(port(arguments));
            server.setExecutor(workers(threads));
            server.createContext("/", new Front(page)::answer);
            server.start();
        } catch (IOException e) {
            throw new UncheckedIOException("port " + arguments[0] + " cannot be opened", e);
        }
    }

    static HttpServer server(int port) throws IOException {
        // Read once, with the first server. Head and body leave in two writes: without this the
        // second waits for the delayed acknowledgement of the first.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        return HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 128);
    }

    private static int port(String[] arguments) {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("the first argument is the port to listen on, such as 8080");
        }
        return Integer.parseInt(arguments[0]);
    }

    private static ExecutorService workers(int threads) {
        AtomicInteger number = new AtomicInteger();
        return Executors.newFixedThreadPool(threads, task -> new Thread(task, "worker-" + number.incrementAndGet()));
    }

    private void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            if (exchange.getRequestURI().getPath().equals("/")) {
                respond(exchange, 200, page.get());
            } else {
                respond(exchange, 404, "There is one page here: /\n");
            }
        }
    }

    private static void respond(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
    }
}
