package se.skargardslinjen.fares.surcharge;

import java.util.Set;

import se.skargardslinjen.fares.domain.VehicleClass;

public record SurchargeRule(String code, String port, int perPassengerOre, int perDeckUnitOre, Set<String> vehicles) {

    public boolean appliesTo(VehicleClass vehicle) {
        return vehicles == null || vehicles.isEmpty() || vehicles.contains(vehicle.name());
    }
}
