package org.stadtnetz.departures.disruption;

/** How late a line is, and why. */
public final class Disruption {

    public static final Disruption NONE = new Disruption(0, null);

    private final int delay;
    private final String note;

    public Disruption(int delay, String note) {
        this.delay = delay;
        this.note = note;
    }

    public int getDelay() {
        return delay;
    }

    public String getNote() {
        return note;
    }
}
