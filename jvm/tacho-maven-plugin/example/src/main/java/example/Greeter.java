package example;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/** Answers every request with a greeting. */
public final class Greeter {
    private Greeter() {}

    public static void main(String[] arguments) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(8080), 0);
        byte[] greeting = "hello".getBytes(StandardCharsets.UTF_8);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, greeting.length);
            exchange.getResponseBody().write(greeting);
            exchange.close();
        });
        server.start();
    }
}
