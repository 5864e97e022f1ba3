package com.mautwerk.statements.account;

public final class Vehicle {

    private final String plate;
    private final int axles;
    private final EmissionClass emissionClass;

    public Vehicle(String plate, int axles, EmissionClass emissionClass) {
        this.plate = plate;
        this.axles = axles;
        this.emissionClass = emissionClass;
    }

    public String plate() {
        return plate;
    }

    public int axles() {
        return axles;
    }

    public EmissionClass emissionClass() {
        return emissionClass;
    }
}
