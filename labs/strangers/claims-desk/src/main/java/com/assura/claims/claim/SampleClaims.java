package com.assura.claims.claim;

import java.time.LocalDate;
import java.util.Random;

/** A book of claims for test environments. */
public final class SampleClaims {

    private static final int CLAIMS = 2_400;
    private static final String[] WHAT = {
            "My bicycle was stolen", "A window broke", "The washing machine leaked", "A pan caught fire",
            "A vase fell on the neighbour's car", "Hail damaged the conservatory", "The cellar was flooded",
            "A burglar took the jewellery", "The dog bit a pair of shoes", "A shelf came off the wall"
    };
    private static final String[] WHERE = {
            "in front of the station", "in the kitchen", "in the bathroom on the second floor", "in the garage",
            "during a visit to friends", "in the garden behind the house", "in the stairwell", "at the sports ground"
    };
    private static final String[] WHEN = {
            "early in the morning", "while we were on holiday", "during the storm", "after dinner",
            "in the night", "when nobody was at home", "during the renovation", "on the way to work"
    };
    private static final String[] PROOF = {
            "A receipt is attached.", "The receipt got lost.", "The police have been informed.",
            "A neighbour can confirm it.", "Photographs will follow.", "It was a gift, paid in cash.",
            "The craftsman has already repaired it.", "An expert has not seen it yet."
    };

    public void addTo(ClaimRepository repository, LocalDate bookDate) {
        Random random = new Random(4_711);
        for (int i = 0; i < CLAIMS; i++) {
            LocalDate occurred = bookDate.minusDays(1 + random.nextInt(500));
            LocalDate reported = occurred.plusDays(random.nextInt(40));
            Product product = Product.values()[random.nextInt(Product.values().length)];
            repository.add(new Claim(
                    String.format("C-%05d", 10_000 + i),
                    String.format("H-%04d", 1_000 + random.nextInt(700)),
                    product,
                    occurred.minusDays(3 + random.nextInt(3_000)),
                    occurred,
                    reported.isAfter(bookDate) ? bookDate : reported,
                    (long) (Math.exp(random.nextGaussian()) * product.limitCents() / 12),
                    random.nextInt(9),
                    describe(random)));
        }
    }

    private static String describe(Random random) {
        return pick(WHAT, random) + " " + pick(WHERE, random) + " " + pick(WHEN, random) + ". "
                + pick(PROOF, random) + " " + pick(PROOF, random);
    }

    private static String pick(String[] texts, Random random) {
        return texts[random.nextInt(texts.length)];
    }
}
