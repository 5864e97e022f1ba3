package com.assura.claims.rules;

import com.assura.claims.claim.Claim;

import java.time.temporal.ChronoUnit;
import java.util.Optional;

final class YoungContractRule implements Rule {

    private static final long DAYS = 90;

    @Override
    public String name() {
        return "young-contract";
    }

    @Override
    public Optional<Finding> check(Claim claim) {
        long insured = ChronoUnit.DAYS.between(claim.insuredSince(), claim.occurred());
        return insured >= DAYS ? Optional.empty() : finding(20, "insured for " + insured + " days only");
    }
}
