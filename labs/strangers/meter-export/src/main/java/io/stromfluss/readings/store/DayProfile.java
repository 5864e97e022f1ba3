package io.stromfluss.readings.store;

/** The quarters of one day, packed: watt-hours in the upper bits, the quality in the lower two. */
final class DayProfile {

    private final int[] quarters;

    DayProfile(int quarters) {
        this.quarters = new int[quarters];
    }

    void set(int quarter, int wattHours, Quality quality) {
        quarters[quarter] = wattHours << 2 | quality.ordinal();
    }

    int size() {
        return quarters.length;
    }

    int wattHours(int quarter) {
        return quarters[quarter] >> 2;
    }

    Quality quality(int quarter) {
        return Quality.of(quarters[quarter] & 3);
    }
}
