package com.northpost.commons;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

public final class Texts {

    private Texts() {
    }

    /** Splits at the separator, trims the parts and leaves out empty ones. */
    public static List<String> parts(String text, char separator) {
        List<String> parts = new ArrayList<>();
        int start = 0;
        for (int i = 0; i <= text.length(); i++) {
            if (i == text.length() || text.charAt(i) == separator) {
                String part = text.substring(start, i).trim();
                if (!part.isEmpty()) {
                    parts.add(part);
                }
                start = i + 1;
            }
        }
        return parts;
    }

    public static String countryCode(String text) {
        String code = text.trim().toUpperCase(Locale.ROOT);
        if (code.length() != 2 || !Character.isLetter(code.charAt(0)) || !Character.isLetter(code.charAt(1))) {
            throw new IllegalArgumentException("Not a country code: " + text);
        }
        return code;
    }
}
