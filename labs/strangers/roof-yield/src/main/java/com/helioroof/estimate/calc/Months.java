package com.helioroof.estimate.calc;

import java.util.TreeSet;

/** Months of the year as asked for in a request. */
public final class Months {

    private static final String ALL = "1,2,3,4,5,6,7,8,9,10,11,12";

    private Months() {
    }

    /** Brings a list such as {@code 5,3,4} into its normal form {@code 3,4,5}. */
    public static String normalize(String text) {
        if (text == null || text.isBlank()) {
            return ALL;
        }
        TreeSet<Integer> months = new TreeSet<>();
        for (String part : text.split(",")) {
            months.add(month(part.trim()));
        }
        StringBuilder out = new StringBuilder();
        for (int month : months) {
            out.append(out.length() == 0 ? "" : ",").append(month);
        }
        return out.toString();
    }

    static int[] parse(String normalized) {
        String[] parts = normalized.split(",");
        int[] months = new int[parts.length];
        for (int i = 0; i < parts.length; i++) {
            months[i] = Integer.parseInt(parts[i]);
        }
        return months;
    }

    private static int month(String text) {
        try {
            int month = Integer.parseInt(text);
            if (month >= 1 && month <= 12) {
                return month;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw new IllegalArgumentException("Not a month: " + text);
    }
}
