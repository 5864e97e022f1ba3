package com.flinkfahrt.rides.client;

public record Route(int meters, int seconds, int crossings) {

    public Route then(Route next) {
        return new Route(meters + next.meters, seconds + next.seconds, crossings + next.crossings);
    }
}
