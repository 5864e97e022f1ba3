package com.gridhub.curves.profile;

import java.time.LocalDate;
import java.time.LocalTime;

/** The load of a site on one day. */
public final class DayProfile {

    static final int QUARTERS = 96;

    private final LocalDate day;
    private final long[] wattHours = new long[QUARTERS];
    private int meters;

    DayProfile(LocalDate day) {
        this.day = day;
    }

    void add(int quarter, int value) {
        wattHours[quarter] += value;
    }

    void countMeter() {
        meters++;
    }

    public LocalDate day() {
        return day;
    }

    public int meters() {
        return meters;
    }

    public long energy() {
        long sum = 0;
        for (long value : wattHours) {
            sum += value;
        }
        return sum;
    }

    public int peakQuarter() {
        int peak = 0;
        for (int q = 1; q < QUARTERS; q++) {
            if (wattHours[q] > wattHours[peak]) {
                peak = q;
            }
        }
        return peak;
    }

    public LocalTime peakTime() {
        return LocalTime.of(peakQuarter() / 4, peakQuarter() % 4 * 15);
    }

    /** Mean power of a quarter of an hour in watts. */
    public long watts(int quarter) {
        return wattHours[quarter] * 4;
    }

    public long baseLoad() {
        long base = Long.MAX_VALUE;
        for (int q = 0; q < QUARTERS; q++) {
            base = Math.min(base, watts(q));
        }
        return base;
    }
}
