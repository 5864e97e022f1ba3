package org.rivernet.geo;

import java.util.Locale;

/** Reads grid references such as SK 2345 8790. */
public final class GridReferences {

    private GridReferences() {
    }

    public static GridPoint parse(String text) {
        String reference = text.replace(" ", "").toUpperCase(Locale.ROOT);
        if (reference.length() < 4 || reference.length() % 2 != 0 || reference.length() > 12) {
            throw new GridReferenceException("not a grid reference: " + text);
        }
        int first = letter(reference.charAt(0), text);
        int second = letter(reference.charAt(1), text);
        int east = ((first - 2) % 5) * 5 + second % 5;
        int north = (19 - first / 5 * 5) - second / 5;
        if (east < 0 || north < 0) {
            throw new GridReferenceException("outside the national grid: " + text);
        }
        int digits = (reference.length() - 2) / 2;
        int eastRest = number(reference.substring(2, 2 + digits), text);
        int northRest = number(reference.substring(2 + digits), text);
        for (int i = digits; i < 5; i++) {
            eastRest *= 10;
            northRest *= 10;
        }
        return new GridPoint(east * 100_000 + eastRest, north * 100_000 + northRest);
    }

    private static int letter(char letter, String text) {
        if (letter < 'A' || letter > 'Z' || letter == 'I') {
            throw new GridReferenceException("not a grid reference: " + text);
        }
        return letter < 'I' ? letter - 'A' : letter - 'A' - 1;
    }

    private static int number(String digits, String text) {
        int number = 0;
        for (int i = 0; i < digits.length(); i++) {
            int digit = digits.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                throw new GridReferenceException("not a grid reference: " + text);
            }
            number = number * 10 + digit;
        }
        return number;
    }
}
