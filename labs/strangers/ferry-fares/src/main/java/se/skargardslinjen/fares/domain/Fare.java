package se.skargardslinjen.fares.domain;

import java.time.LocalDate;
import java.util.List;

public record Fare(Route route, LocalDate date, Season season, VehicleClass vehicle, int passengers,
        List<FareLine> lines) {

    public Fare {
        lines = List.copyOf(lines);
    }

    public int totalOre() {
        int sum = 0;
        for (FareLine line : lines) {
            sum += line.ore();
        }
        return sum;
    }
}
