package com.gridhub.curves.store;

public record StoreStatistics(int meters, int segments, int pinned, long values, long bytes) {

    public double bytesPerValue() {
        return values == 0 ? 0 : (double) bytes / values;
    }
}
