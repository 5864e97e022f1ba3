package nl.havendienst.berths.tide;

import java.time.LocalDateTime;
import java.util.List;

/** Water levels above chart datum as the gauge predicts them. */
public record TideCurve(String gauge, List<Level> levels) {

    public record Level(LocalDateTime at, double metres) {
    }

    public double lowest(LocalDateTime from, LocalDateTime until) {
        double lowest = Double.MAX_VALUE;
        for (Level level : levels) {
            if (!level.at().isBefore(from) && !level.at().isAfter(until)) {
                lowest = Math.min(lowest, level.metres());
            }
        }
        return lowest == Double.MAX_VALUE ? 0 : lowest;
    }
}
