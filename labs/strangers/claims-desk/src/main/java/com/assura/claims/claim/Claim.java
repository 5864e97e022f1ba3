package com.assura.claims.claim;

import java.time.LocalDate;

/** A loss as the policy holder has reported it. */
public record Claim(
        String number,
        String policyHolder,
        Product product,
        LocalDate insuredSince,
        LocalDate occurred,
        LocalDate reported,
        long claimedCents,
        int itemAgeYears,
        String description) {
}
