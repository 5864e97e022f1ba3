package com.assura.claims.rules;

import com.assura.claims.claim.Claim;
import com.assura.claims.claim.Product;

/** The amount that is set aside for a claim. */
final class ReserveCalculator {

    long reserveCents(Claim claim) {
        Product product = claim.product();
        long value = claim.claimedCents();
        for (int year = 0; year < claim.itemAgeYears(); year++) {
            value -= value * product.yearlyDepreciationPercent() / 100;
        }
        long afterDeductible = Math.max(0, value - product.deductibleCents());
        return Math.min(afterDeductible, product.limitCents());
    }
}
