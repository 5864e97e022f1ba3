package com.flinkfahrt.rides.routing;

import io.grpc.Server;
import io.grpc.netty.NettyServerBuilder;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/** Routing as a gRPC service of its own. */
public class RoutingServer {

    private final Server server;

    private RoutingServer(Server server) {
        this.server = server;
    }

    public static RoutingServer start(int port) throws IOException {
        return new RoutingServer(NettyServerBuilder.forAddress(new InetSocketAddress("127.0.0.1", port))
                .directExecutor()
                .addService(new RoutingEndpoint())
                .build()
                .start());
    }

    public int port() {
        return server.getPort();
    }

    public void stop() {
        server.shutdown();
        try {
            server.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
