package com.acme;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.LongAdder;

/**
 * A service whose requests do nothing but price orders: {@code Shop WORK CALLS}. Each request calls
 * the hot method {@link #total} CALLS times, and that calls six others, each of which computes for
 * WORK rounds. {@code GET /calls} tells how often the hot method has been called, exactly.
 */
public final class Shop {
    private static final int LINES = 4;
    private static final LongAdder CALLED = new LongAdder();

    private final int work;

    private Shop(int work) {
        this.work = work;
    }

    public static void main(String[] arguments) throws Exception {
        Shop shop = new Shop(Integer.parseInt(arguments[0]));
        int calls = Integer.parseInt(arguments[1]);
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 256);
        server.setExecutor(Executors.newFixedThreadPool(4));
        server.createContext("/", exchange -> {
            long sum = 0;
            for (int i = 0; i < calls; i++) {
                sum += shop.total(i + 1);
            }
            CALLED.add(calls);
            answer(exchange, sum);
        });
        server.createContext("/calls", exchange -> answer(exchange, CALLED.sum()));
        server.start();
        System.out.println("port " + server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange, long number) throws IOException {
        byte[] text = Long.toString(number).getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, text.length);
        try (var body = exchange.getResponseBody()) {
            body.write(text);
        }
    }

    /** The hot method. */
    long total(int order) {
        long sum = 0;
        for (int line = 0; line < LINES; line++) {
            sum += price(order, line);
        }
        return sum - discount(order) + postage(order);
    }

    private long price(int order, int line) {
        return computed(order * 31L + line);
    }

    private long discount(int order) {
        return computed(order * 17L) >>> 3;
    }

    private long postage(int order) {
        return computed(order * 13L) >>> 5;
    }

    /** Xorshift: nothing that a compiler could foresee. */
    private long computed(long seed) {
        long x = seed | 1;
        for (int i = 0; i < work; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        return x;
    }
}
