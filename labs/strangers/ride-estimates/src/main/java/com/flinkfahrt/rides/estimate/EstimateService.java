package com.flinkfahrt.rides.estimate;

import com.flinkfahrt.rides.client.Route;
import com.flinkfahrt.rides.client.RoutingClient;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

public class EstimateService {

    private final RoutingClient routing;

    public EstimateService(RoutingClient routing) {
        this.routing = routing;
    }

    /** An estimate for each class of vehicle, the cheapest first. */
    public List<Estimate> estimates(int from, int to) {
        List<CompletableFuture<Estimate>> pending = new ArrayList<>();
        for (VehicleClass vehicle : VehicleClass.values()) {
            pending.add(estimate(vehicle, from, to));
        }
        List<Estimate> estimates = new ArrayList<>();
        for (CompletableFuture<Estimate> estimate : pending) {
            estimates.add(estimate.join());
        }
        estimates.sort(Comparator.comparingInt(Estimate::cents));
        return estimates;
    }

    private CompletableFuture<Estimate> estimate(VehicleClass vehicle, int from, int to) {
        CompletableFuture<Route> ride = routing.route(from, to, vehicle.profile());
        return nearestStand(vehicle, from).thenCombine(ride, (pickup, route) -> new Estimate(vehicle, pickup.stand(),
                pickup.route().seconds(), route.seconds(), route.meters(),
                vehicle.price(route.meters(), route.seconds())));
    }

    private CompletableFuture<Pickup> nearestStand(VehicleClass vehicle, int from) {
        CompletableFuture<Pickup> nearest = null;
        for (int stand : vehicle.stands()) {
            CompletableFuture<Pickup> next = routing.route(stand, from, vehicle.profile())
                    .thenApply(route -> new Pickup(stand, route));
            nearest = nearest == null ? next : nearest.thenCombine(next, Pickup::nearer);
        }
        return nearest;
    }

    private record Pickup(int stand, Route route) {

        Pickup nearer(Pickup other) {
            return other.route.seconds() < route.seconds() ? other : this;
        }
    }
}
