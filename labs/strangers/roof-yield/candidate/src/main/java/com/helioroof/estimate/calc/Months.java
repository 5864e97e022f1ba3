package com.helioroof.estimate.calc;

import java.util.stream.IntStream;

/** Months of the year as asked for in a request. */
public final class Months {

    private static final int LAST = 12;

    private Months() {
    }

    /** Reads lists and ranges such as {@code 10,3-5}; the result is sorted. */
    public static int[] parse(String text) {
        if (text == null || text.isBlank()) {
            return IntStream.rangeClosed(1, LAST).toArray();
        }
        boolean[] chosen = new boolean[LAST + 1];
        for (String part : text.split(",")) {
            int dash = part.indexOf('-');
            int from = month(dash < 0 ? part : part.substring(0, dash));
            int to = dash < 0 ? from : month(part.substring(dash + 1));
            if (from > to) {
                throw new IllegalArgumentException("Not a range of months: " + part);
            }
            for (int month = from; month <= to; month++) {
                chosen[month] = true;
            }
        }
        return IntStream.rangeClosed(1, LAST).filter(month -> chosen[month]).toArray();
    }

    private static int month(String text) {
        try {
            int month = Integer.parseInt(text.trim());
            if (month >= 1 && month <= LAST) {
                return month;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("Not a month: " + text);
    }
}
