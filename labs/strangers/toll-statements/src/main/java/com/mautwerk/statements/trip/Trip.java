package com.mautwerk.statements.trip;

import com.mautwerk.statements.account.Vehicle;

import java.time.LocalDateTime;

public final class Trip {

    private final LocalDateTime passedAt;
    private final Section section;
    private final Vehicle vehicle;

    public Trip(LocalDateTime passedAt, Section section, Vehicle vehicle) {
        this.passedAt = passedAt;
        this.section = section;
        this.vehicle = vehicle;
    }

    public LocalDateTime passedAt() {
        return passedAt;
    }

    public Section section() {
        return section;
    }

    public Vehicle vehicle() {
        return vehicle;
    }

    public boolean isAtNight() {
        int hour = passedAt.getHour();
        return hour >= 22 || hour < 5;
    }
}
