package tacho.checks.modes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpServer;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.SynchronousQueue;
import sun.misc.Signal;

/** Signals from outside. */
final class Signalled {

    private Signalled() {}

    /** Says that it waits, and what its hook did. */
    static void waitForEnd(List<String> arguments) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(() -> System.out.println("hook ran")));
        System.out.println("waiting");
        new SynchronousQueue<String>().take();
    }

    /** Handles the named signal as often as asked, then ends. */
    static void handle(List<String> arguments) throws InterruptedException {
        SynchronousQueue<Signal> received = new SynchronousQueue<>();
        Signal.handle(new Signal(arguments.get(0)), signal -> {
            try {
                received.put(signal);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        System.out.println("waiting");
        for (int i = 0; i < Integer.parseInt(arguments.get(1)); i++) {
            System.out.println("received " + received.take());
        }
    }

    /** A server that says its port and ends in good order. */
    static void serve(List<String> arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            byte[] body = "served".getBytes(UTF_8);
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        });
        Runtime.getRuntime().addShutdownHook(new Thread(() -> {
            server.stop(0);
            System.out.println("stopped");
        }));
        server.start();
        System.out.println(server.getAddress().getPort());
    }
}
