package com.flinkfahrt.rides.estimate;

import com.flinkfahrt.rides.proto.Profile;

/** What can be ordered: where it waits and what it costs (in cents). */
public enum VehicleClass {

    CITY(Profile.CITY, new int[] {11, 47, 82}, 320, 145, 28),
    VAN(Profile.VAN, new int[] {35, 64}, 480, 190, 36),
    CARGO_BIKE(Profile.BIKE, new int[] {22, 58, 77}, 190, 95, 22);

    private final Profile profile;
    private final int[] stands;
    private final int startCents;
    private final int centsPerKilometre;
    private final int centsPerMinute;

    VehicleClass(Profile profile, int[] stands, int startCents, int centsPerKilometre, int centsPerMinute) {
        this.profile = profile;
        this.stands = stands;
        this.startCents = startCents;
        this.centsPerKilometre = centsPerKilometre;
        this.centsPerMinute = centsPerMinute;
    }

    Profile profile() {
        return profile;
    }

    int[] stands() {
        return stands;
    }

    int price(int meters, int seconds) {
        long cents = startCents + (long) meters * centsPerKilometre / 1000 + (long) seconds * centsPerMinute / 60;
        return Math.toIntExact((cents + 4) / 5 * 5);
    }
}
