package nl.havendienst.berths.plan;

import java.time.Duration;
import java.time.LocalDateTime;

public record ShipCall(String ship, double lengthMetres, double draughtMetres, LocalDateTime arrival, Duration stay) {

    public ShipCall {
        if (lengthMetres <= 0 || draughtMetres <= 0) {
            throw new NumberFormatException("length and draught must be positive");
        }
    }

    public LocalDateTime departure() {
        return arrival.plus(stay);
    }
}
