package se.skargardslinjen.fares.domain;

import java.util.List;

public record Route(String id, String from, String to, int nauticalMiles, List<String> ports, boolean carDeck) {

    public Route {
        ports = List.copyOf(ports);
    }

    public boolean carries(VehicleClass vehicle) {
        return carDeck || !vehicle.needsCarDeck();
    }
}
