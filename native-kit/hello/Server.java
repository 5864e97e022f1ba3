import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * The JDK's own HTTP server, a virtual thread a request. Prints its port; says goodbye when it is
 * told to end.
 */
public final class Server {

    private Server() {
    }

    public static void main(String[] none) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/ping", exchange -> {
            byte[] answer = ("pong on a virtual thread: " + Thread.currentThread().isVirtual()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("goodbye")));
        server.start();
        System.out.println(server.getAddress().getPort());
    }
}
