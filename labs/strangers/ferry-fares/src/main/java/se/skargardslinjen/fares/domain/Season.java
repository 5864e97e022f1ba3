package se.skargardslinjen.fares.domain;

public enum Season {
    WINTER(80),
    SPRING(100),
    SUMMER(135),
    AUTUMN(95);

    private final int percent;

    Season(int percent) {
        this.percent = percent;
    }

    public int percent() {
        return percent;
    }
}
