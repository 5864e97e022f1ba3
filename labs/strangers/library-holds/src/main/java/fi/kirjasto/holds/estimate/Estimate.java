package fi.kirjasto.holds.estimate;

import java.time.LocalDate;

public record Estimate(LocalDate pickUp, Confidence confidence) {

    public enum Confidence {
        LIKELY, ROUGH, GUESS
    }
}
