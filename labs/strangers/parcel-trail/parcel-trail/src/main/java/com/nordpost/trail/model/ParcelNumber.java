package com.nordpost.trail.model;

import java.util.Optional;

/** Two letters, nine digits of which the last is a check digit, and the country (UPU S10). */
public record ParcelNumber(String value) {

    private static final int[] WEIGHTS = {8, 6, 4, 2, 3, 5, 9, 7};

    public static Optional<ParcelNumber> parse(String text) {
        if (text == null || text.length() != 13) {
            return Optional.empty();
        }
        int sum = 0;
        for (int i = 0; i < WEIGHTS.length; i++) {
            int digit = Character.digit(text.charAt(i + 2), 10);
            if (digit < 0) {
                return Optional.empty();
            }
            sum += digit * WEIGHTS[i];
        }
        int check = 11 - sum % 11;
        check = check == 10 ? 0 : check == 11 ? 5 : check;
        return Character.digit(text.charAt(10), 10) == check ? Optional.of(new ParcelNumber(text)) : Optional.empty();
    }
}
