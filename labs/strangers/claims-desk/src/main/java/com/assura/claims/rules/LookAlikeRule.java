package com.assura.claims.rules;

import com.assura.claims.claim.Claim;
import com.assura.claims.claim.ClaimRepository;
import com.assura.claims.claim.Words;

import java.util.Optional;

/** Claims of different holders that are told in nearly the same words. */
final class LookAlikeRule implements Rule {

    private static final double SIMILAR = 0.7;

    private final ClaimRepository claims;

    LookAlikeRule(ClaimRepository claims) {
        this.claims = claims;
    }

    @Override
    public String name() {
        return "look-alike";
    }

    @Override
    public Optional<Finding> check(Claim claim) {
        Words words = claims.wordsOf(claim);
        int similar = 0;
        for (Claim other : claims.ofProduct(claim.product())) {
            if (!other.policyHolder().equals(claim.policyHolder())
                    && words.similarity(claims.wordsOf(other)) >= SIMILAR) {
                similar++;
            }
        }
        return similar == 0 ? Optional.empty() : finding(Math.min(30, 5 * similar), similar + " claims read alike");
    }
}
