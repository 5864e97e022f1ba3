package com.assura.claims.claim;

import java.util.Arrays;
import java.util.Locale;

/** The distinct words of a description as sorted hash values, for comparisons. */
public final class Words {

    private final int[] hashes;

    private Words(int[] hashes) {
        this.hashes = hashes;
    }

    public static Words of(String text) {
        return new Words(Arrays.stream(text.toLowerCase(Locale.ROOT).split("\\W+"))
                .filter(word -> word.length() > 2)
                .mapToInt(String::hashCode)
                .distinct()
                .sorted()
                .toArray());
    }

    /** Share of the words that both have, between 0 and 1. */
    public double similarity(Words other) {
        int common = 0;
        int i = 0;
        int j = 0;
        while (i < hashes.length && j < other.hashes.length) {
            if (hashes[i] == other.hashes[j]) {
                common++;
                i++;
                j++;
            } else if (hashes[i] < other.hashes[j]) {
                i++;
            } else {
                j++;
            }
        }
        int all = hashes.length + other.hashes.length - common;
        return all == 0 ? 0 : (double) common / all;
    }
}
