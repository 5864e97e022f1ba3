package com.assura.claims.rules;

import com.assura.claims.claim.Claim;
import com.assura.claims.claim.ClaimRepository;

import java.time.LocalDate;
import java.util.Optional;

final class FrequentClaimsRule implements Rule {

    private final ClaimRepository claims;
    private final LocalDate since;

    FrequentClaimsRule(ClaimRepository claims, LocalDate bookDate) {
        this.claims = claims;
        this.since = bookDate.minusYears(1);
    }

    @Override
    public String name() {
        return "frequent-claims";
    }

    @Override
    public Optional<Finding> check(Claim claim) {
        int recent = 0;
        for (Claim other : claims.ofHolder(claim.policyHolder())) {
            if (other.occurred().isAfter(since)) {
                recent++;
            }
        }
        return recent < 3 ? Optional.empty() : finding(6 * recent, recent + " claims within a year");
    }
}
