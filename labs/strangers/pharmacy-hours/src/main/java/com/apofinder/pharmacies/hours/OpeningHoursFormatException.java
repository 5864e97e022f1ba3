package com.apofinder.pharmacies.hours;

public class OpeningHoursFormatException extends IllegalArgumentException {

    private final String text;

    public OpeningHoursFormatException(String text, String problem) {
        super("cannot read opening hours \"" + text + "\": " + problem);
        this.text = text;
    }

    public String text() {
        return text;
    }
}
