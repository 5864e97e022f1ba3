package com.acme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;

/**
 * A service that has done nothing yet: what its first request needs is not loaded before that
 * comes.
 */
public class Starting {
    public static void main(String[] arguments) throws IOException {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        boolean hasServer = true;
        try {
            Class.forName("com.sun.net.httpserver.HttpServer");
        } catch (ClassNotFoundException aRuntimeWithoutIt) {
            hasServer = false;
        }
        System.out.println("port " + (hasServer ? Served.start(any) : Plain.start(any)));
    }

    static byte[] body(String path) {
        try {
            return work(path).getBytes();
        } catch (IllegalStateException e) {
            return e.getMessage().getBytes();
        }
    }

    /**
     * Regular expressions, text of many pieces, a stream of method references and an exception, as
     * in any handler.
     */
    static String work(String path) {
        if (path.matches("/fail.*")) {
            throw new IllegalStateException("failed as asked: " + path);
        }
        String[] words = path.split("[/,]+");
        int letters = java.util.Arrays.stream(words).mapToInt(String::length).sum();
        return String.format("%d letters in %d words of %s%n", letters, words.length, path.replaceAll("[0-9]+", "#"));
    }

    static class Served {
        static int start(InetSocketAddress address) throws IOException {
            HttpServer server = HttpServer.create(address, 0);
            server.createContext("/", Served::answer);
            server.start();
            return server.getAddress().getPort();
        }

        private static void answer(HttpExchange exchange) throws IOException {
            byte[] body = body(exchange.getRequestURI().getPath());
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
            exchange.close();
        }
    }

    /** The least that a client takes for a server, a thread a request. */
    static class Plain {
        static int start(InetSocketAddress address) throws IOException {
            ServerSocket listening = new ServerSocket();
            listening.bind(address);
            new Thread(() -> {
                while (true) {
                    try {
                        Socket socket = listening.accept();
                        new Thread(() -> answer(socket)).start();
                    } catch (IOException e) {
                        throw new IllegalStateException(e);
                    }
                }
            }).start();
            return listening.getLocalPort();
        }

        private static void answer(Socket socket) {
            try (Socket closed = socket) {
                BufferedReader lines = new BufferedReader(new InputStreamReader(socket.getInputStream()));
                String path = lines.readLine().split(" ")[1];
                for (String line = lines.readLine(); !line.isEmpty(); line = lines.readLine()) {
                    // Headers say nothing that is needed.
                }
                byte[] body = body(path);
                socket.getOutputStream().write(("HTTP/1.1 200 OK\r\nContent-Length: " + body.length + "\r\n\r\n").getBytes());
                socket.getOutputStream().write(body);
            } catch (IOException e) {
                throw new IllegalStateException(e);
            }
        }
    }
}
