package com.assura.claims.rules;

import com.assura.claims.claim.Claim;

import java.time.temporal.ChronoUnit;
import java.util.Optional;

final class LateReportRule implements Rule {

    private static final long USUAL_DAYS = 10;

    @Override
    public String name() {
        return "late-report";
    }

    @Override
    public Optional<Finding> check(Claim claim) {
        long days = ChronoUnit.DAYS.between(claim.occurred(), claim.reported());
        return days <= USUAL_DAYS ? Optional.empty() : finding(days > 2 * USUAL_DAYS ? 15 : 8, "reported after " + days + " days");
    }
}
