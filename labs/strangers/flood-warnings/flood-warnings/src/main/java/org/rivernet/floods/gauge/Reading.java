package org.rivernet.floods.gauge;

public record Reading(String gauge, int millimetres, int trend, int ageMinutes) {

    public boolean rising() {
        return trend > 0;
    }
}
