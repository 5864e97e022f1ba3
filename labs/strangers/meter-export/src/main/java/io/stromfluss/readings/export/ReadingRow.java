package io.stromfluss.readings.export;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.stromfluss.readings.store.Quality;
import io.stromfluss.readings.store.Reading;

import java.math.BigDecimal;
import java.time.Instant;

@JsonPropertyOrder({"from", "kwh", "quality"})
public record ReadingRow(Instant from, BigDecimal kwh, String quality) {

    public static ReadingRow of(Reading reading) {
        return new ReadingRow(reading.start(), BigDecimal.valueOf(reading.wattHours(), 3), code(reading.quality()));
    }

    private static String code(Quality quality) {
        return switch (quality) {
            case MEASURED -> null;
            case ESTIMATED -> "E";
            case MISSING -> "M";
        };
    }
}
