package com.assura.claims.rules;

import com.assura.claims.claim.Claim;

import java.util.List;
import java.util.Optional;

/** Phrases that the special investigations team wants to see. */
final class WordingRule implements Rule {

    private record Phrase(String text, int points) {
    }

    private static final List<Phrase> PHRASES = List.of(
            new Phrase("paid in cash", 12),
            new Phrase("receipt got lost", 10),
            new Phrase("already repaired", 9),
            new Phrase("nobody was at home", 4),
            new Phrase("has not seen it", 3));

    @Override
    public String name() {
        return "wording";
    }

    @Override
    public Optional<Finding> check(Claim claim) {
        int points = 0;
        StringBuilder hits = new StringBuilder();
        for (Phrase phrase : PHRASES) {
            if (claim.description().contains(phrase.text())) {
                points += phrase.points();
                hits.append(hits.length() == 0 ? "" : ", ").append(phrase.text());
            }
        }
        return points == 0 ? Optional.empty() : finding(points, hits.toString());
    }
}
