package net.wortrost.hints.search;

import net.wortrost.hints.lexicon.Lexicon;

import java.util.Locale;

/** A pattern such as {@code S..REN}, letters that must not occur, and how many hints are wanted. */
public record Query(String pattern, String without, int limit) {

    private static final int MAX_LIMIT = 100;
    static final char ANY = '.';

    public Query {
        if (pattern == null || pattern.length() < Lexicon.SHORTEST || pattern.length() > Lexicon.LONGEST) {
            throw new IllegalArgumentException("A pattern has 3 to 12 places");
        }
        if (limit < 1 || limit > MAX_LIMIT) {
            throw new IllegalArgumentException("Between 1 and " + MAX_LIMIT + " hints");
        }
        pattern = pattern.toUpperCase(Locale.ROOT);
        without = without == null ? "" : without.toUpperCase(Locale.ROOT);
        requireLetters(pattern);
    }

    private static void requireLetters(String pattern) {
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != ANY && (c < 'A' || c > 'Z')) {
                throw new IllegalArgumentException("Not a letter: " + c);
            }
        }
    }
}
