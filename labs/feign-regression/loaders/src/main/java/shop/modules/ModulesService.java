package shop.modules;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/**
 * Looks for a class that is not there, ten times for each request, as a library does that asks each
 * time whether an optional module is installed.
 */
public final class ModulesService {
    private static final String MODULE = "com.fasterxml.jackson.datatype.money.MoneyModule";
    private static final int LOOKS = 10;

    private ModulesService() {}

    public static void main(String[] arguments) throws IOException {
        // Head and body leave in two writes: without this the second waits for the client's delayed
        // acknowledgement.
        System.setProperty("sun.net.httpserver.nodelay", "true");
        int port = Integer.parseInt(arguments[0]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port), 128);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", ModulesService::answer);
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            int found = 0;
            for (int look = 0; look < LOOKS; look++) {
                found += isInstalled() ? 1 : 0;
            }
            byte[] body = ("found " + found + " times of " + LOOKS + "\n").getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        }
    }

    private static boolean isInstalled() {
        try {
            Class.forName(MODULE, false, ModulesService.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException e) {
            return false;
        }
    }
}
