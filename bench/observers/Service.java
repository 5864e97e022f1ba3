import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service that allocates: each request builds, sorts and joins some hundred strings, and replaces
 * an entry of a cache of some 40 MiB.
 */
public class Service {
    private static final int ENTRIES = 20_000;
    private static final Map<Integer, String> CACHE = new HashMap<>();
    private static final AtomicInteger REQUESTS = new AtomicInteger();

    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> {
            byte[] answer = answer(REQUESTS.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            try (var body = exchange.getResponseBody()) {
                body.write(answer);
            }
        });
        server.start();
        System.out.println(server.getAddress().getPort());
        System.in.read();
        System.exit(0);
    }

    private static String answer(int request) {
        List<String> words = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            words.add("word-" + (i * 7919 + request) % 1009);
        }
        words.sort(null);
        String whole = String.join(",", words);
        synchronized (CACHE) {
            CACHE.put(request % ENTRIES, whole);
        }
        return whole;
    }
}
