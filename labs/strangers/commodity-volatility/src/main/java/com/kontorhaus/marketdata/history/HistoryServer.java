package com.kontorhaus.marketdata.history;

import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The price history as a gRPC service of its own. */
public class HistoryServer {

    private static final Logger LOG = LoggerFactory.getLogger(HistoryServer.class);

    private final Server server;
    private final ExecutorService executor;

    private HistoryServer(Server server, ExecutorService executor) {
        this.server = server;
        this.executor = executor;
    }

    public static HistoryServer start(int port) throws IOException {
        AtomicInteger number = new AtomicInteger();
        ExecutorService executor = Executors.newFixedThreadPool(4,
                task -> new Thread(task, "history-" + number.incrementAndGet()));
        Server server = NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .executor(executor)
                .addService(new HistoryEndpoint(new PriceBook()))
                .build()
                .start();
        return new HistoryServer(server, executor);
    }

    public int port() {
        return server.getPort();
    }

    public void stop() {
        server.shutdown();
        try {
            if (!server.awaitTermination(2, TimeUnit.SECONDS)) {
                LOG.warn("History did not stop in time");
                server.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        executor.shutdown();
    }
}
