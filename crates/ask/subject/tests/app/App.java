import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Answers every request with the text of a few classes of its own, and says where it listens. */
public final class App {
    private App() {}

    public static void main(String[] arguments) throws Exception {
        var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        var server = HttpServer.create(here, 0);
        server.createContext("/", exchange -> {
            byte[] body = new Greeting(arguments).text().getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            try (var out = exchange.getResponseBody()) {
                out.write(body);
            }
        });
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }

    record Greeting(String[] arguments) {
        String text() {
            return "hello " + String.join(",", arguments);
        }
    }
}
