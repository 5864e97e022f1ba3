package nl.havendienst.berths.tide;

import java.time.LocalDateTime;

/** Water levels during one stay; the authority is only asked if a tidal berth comes into question. */
public final class WaterLevels {

    private final TideClient tides;
    private final LocalDateTime from;
    private final LocalDateTime until;
    private TideCurve curve;

    public WaterLevels(TideClient tides, LocalDateTime from, LocalDateTime until) {
        this.tides = tides;
        this.from = from;
        this.until = until;
    }

    public double lowest() {
        if (curve == null) {
            curve = tides.curve(from, until);
        }
        return curve.lowest(from, until);
    }
}
