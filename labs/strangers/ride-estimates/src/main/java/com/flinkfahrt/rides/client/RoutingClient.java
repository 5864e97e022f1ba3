package com.flinkfahrt.rides.client;

import com.flinkfahrt.rides.metrics.RoutingMetrics;
import com.flinkfahrt.rides.proto.Profile;
import com.flinkfahrt.rides.proto.RouteReply;
import com.flinkfahrt.rides.proto.RouteRequest;
import com.flinkfahrt.rides.proto.RoutingGrpc;
import com.google.common.util.concurrent.FutureCallback;
import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.grpc.ManagedChannel;
import io.grpc.netty.NettyChannelBuilder;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Asks routing for ways, without waiting for the answer. */
public class RoutingClient implements AutoCloseable {

    private static final long DEADLINE_MILLIS = 15_000;

    private final ManagedChannel channel;
    private final RoutingGrpc.RoutingFutureStub stub;
    private final RoutingMetrics metrics;

    public RoutingClient(String host, int port, RoutingMetrics metrics) {
        this.channel = NettyChannelBuilder.forAddress(host, port)
                .usePlaintext()
                .directExecutor()
                .build();
        this.stub = RoutingGrpc.newFutureStub(channel);
        this.metrics = metrics;
    }

    public CompletableFuture<Route> route(int from, int to, Profile profile) {
        RouteRequest request = RouteRequest.newBuilder().setFrom(from).setTo(to).setProfile(profile).build();
        long start = System.nanoTime();
        ListenableFuture<RouteReply> reply = stub.withDeadlineAfter(DEADLINE_MILLIS, TimeUnit.MILLISECONDS).route(request);
        CompletableFuture<Route> route = new CompletableFuture<>();
        Futures.addCallback(reply, new FutureCallback<>() {
            @Override
            public void onSuccess(RouteReply result) {
                metrics.succeeded(System.nanoTime() - start);
                route.complete(new Route(result.getMeters(), result.getSeconds(), result.getCrossings()));
            }

            @Override
            public void onFailure(Throwable failure) {
                metrics.failed();
                route.completeExceptionally(new RoutingFailed("No route from " + from + " to " + to, failure));
            }
        }, MoreExecutors.directExecutor());
        return route;
    }

    @Override
    public void close() {
        channel.shutdown();
        try {
            channel.awaitTermination(2, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
