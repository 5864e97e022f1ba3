package com.postwerk.rates.model;

public record Address(String country, String postcode) {

    /** Reads {@code AT-8010}. */
    public static Address parse(String text) {
        int dash = text == null ? -1 : text.indexOf('-');
        if (dash != 2 || text.length() < 6) {
            throw new InvalidParcel("not an address: " + text);
        }
        return new Address(text.substring(0, 2).toUpperCase(), text.substring(3));
    }

    public String area() {
        return postcode.substring(0, 2);
    }
}
