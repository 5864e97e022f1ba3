package eu.nachtquartier.offers.source;

import java.time.LocalDate;

public record Search(String city, LocalDate arrival, int nights, int guests) {

    public Search {
        if (nights < 1 || nights > 28) {
            throw new IllegalArgumentException("nights must be between 1 and 28");
        }
        if (guests < 1 || guests > 6) {
            throw new IllegalArgumentException("guests must be between 1 and 6");
        }
    }
}
