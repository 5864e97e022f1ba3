package net.wortrost.hints.search;

import java.util.Locale;

/** A pattern such as {@code S..REN}, letters that must not occur, and how many hints are wanted. */
public class Query {

    private static final int MAX_LIMIT = 100;

    private final String pattern;
    private final String without;
    private final int limit;

    public Query(String pattern, String without, int limit) {
        if (pattern == null || pattern.length() < 3 || pattern.length() > 12) {
            throw new IllegalArgumentException("A pattern has 3 to 12 places");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("Between 1 and " + MAX_LIMIT + " hints");
        }
        this.pattern = pattern.toUpperCase(Locale.ROOT);
        this.without = without == null ? "" : without.toUpperCase(Locale.ROOT);
        this.limit = limit;
        for (int i = 0; i < this.pattern.length(); i++) {
            char c = this.pattern.charAt(i);
            if (c != '.' && (c < 'A' || c > 'Z')) {
                throw new IllegalArgumentException("Not a letter: " + c);
            }
        }
    }

    public String getPattern() {
        return pattern;
    }

    public String getWithout() {
        return without;
    }

    public int getLimit() {
        return limit;
    }
}
