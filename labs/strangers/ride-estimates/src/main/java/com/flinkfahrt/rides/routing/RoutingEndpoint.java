package com.flinkfahrt.rides.routing;

import com.flinkfahrt.rides.proto.RouteReply;
import com.flinkfahrt.rides.proto.RouteRequest;
import com.flinkfahrt.rides.proto.RoutingGrpc;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;

class RoutingEndpoint extends RoutingGrpc.RoutingImplBase {

    private final RoadNetwork network = new RoadNetwork();

    @Override
    public void route(RouteRequest request, StreamObserver<RouteReply> observer) {
        if (unknown(request.getFrom()) || unknown(request.getTo())) {
            observer.onError(Status.OUT_OF_RANGE.withDescription("no such crossing").asRuntimeException());
            return;
        }
        RoadNetwork.Path path = network.shortest(request.getFrom(), request.getTo(), request.getProfile());
        observer.onNext(RouteReply.newBuilder()
                .setMeters(path.meters())
                .setSeconds(path.seconds())
                .setCrossings(path.crossings())
                .build());
        observer.onCompleted();
    }

    private static boolean unknown(int crossing) {
        return crossing < 0 || crossing >= RoadNetwork.CROSSINGS;
    }
}
