package com.kontorhaus.marketdata.gateway;

import io.grpc.Channel;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;

import java.util.concurrent.TimeUnit;

/** The one connection of the gateway to the price history. */
public class HistoryChannel implements AutoCloseable {

    private final ManagedChannel channel;

    private HistoryChannel(ManagedChannel channel) {
        this.channel = channel;
    }

    public static HistoryChannel open(GatewayConfig config, int port) {
        return new HistoryChannel(NettyChannelBuilder.forAddress(config.historyHost(), port)
                .usePlaintext()
                .userAgent(config.userAgent())
                .keepAliveTime(config.keepAlive().toSeconds(), TimeUnit.SECONDS)
                .idleTimeout(config.idle().toMinutes(), TimeUnit.MINUTES)
                .flowControlWindow(config.flowControlWindow())
                .maxInboundMessageSize(config.maxInboundMessageBytes())
                .build());
    }

    Channel channel() {
        return channel;
    }

    @Override
    public void close() {
        channel.shutdown();
        try {
            if (!channel.awaitTermination(2, TimeUnit.SECONDS)) {
                channel.shutdownNow();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
