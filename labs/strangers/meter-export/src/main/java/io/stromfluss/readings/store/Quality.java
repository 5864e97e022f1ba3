package io.stromfluss.readings.store;

public enum Quality {

    MEASURED, ESTIMATED, MISSING;

    private static final Quality[] BY_CODE = values();

    public static Quality of(int code) {
        return BY_CODE[code];
    }
}
