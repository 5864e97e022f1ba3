package de.pruefwerk.recalls.status;

import java.util.Locale;

/** A vehicle identification number. */
public record Vin(String text) {

    private static final int LENGTH = 17;

    public static Vin parse(String raw) {
        String text = raw.trim().toUpperCase(Locale.ROOT);
        if (text.length() != LENGTH) {
            throw new IllegalArgumentException("a VIN has " + LENGTH + " characters");
        }
        for (int i = 0; i < LENGTH; i++) {
            char c = text.charAt(i);
            boolean allowed = c >= '0' && c <= '9' || c >= 'A' && c <= 'Z' && c != 'I' && c != 'O' && c != 'Q';
            if (!allowed) {
                throw new IllegalArgumentException("a VIN has no '" + c + "'");
            }
        }
        return new Vin(text);
    }
}
