package dev.tacho.junit;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** An application as small as one can be: it answers at the port that it is given, or ends. */
public final class Greeter {
    private Greeter() {}

    public static void main(String[] arguments) throws Exception {
        if (arguments.length == 0) {
            throw new IllegalArgumentException("no port");
        }
        int port = Integer.parseInt(arguments[0].substring(arguments[0].indexOf('=') + 1));
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
    }
}
