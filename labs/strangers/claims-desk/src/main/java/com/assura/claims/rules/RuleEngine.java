package com.assura.claims.rules;

import com.assura.claims.claim.Claim;
import com.assura.claims.claim.ClaimRepository;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Runs all rules on a claim. */
public final class RuleEngine {

    private static final Logger LOG = LoggerFactory.getLogger(RuleEngine.class);

    private final List<Rule> rules;
    private final ReserveCalculator reserves = new ReserveCalculator();

    private RuleEngine(List<Rule> rules) {
        this.rules = rules;
    }

    public static RuleEngine standard(ClaimRepository claims, LocalDate bookDate) {
        return new RuleEngine(List.of(
                new LateReportRule(),
                new YoungContractRule(),
                new FrequentClaimsRule(claims, bookDate),
                new WordingRule(),
                new LookAlikeRule(claims)));
    }

    public Assessment assess(Claim claim) {
        List<Finding> findings = new ArrayList<>();
        for (Rule rule : rules) {
            Optional<Finding> finding = rule.check(claim);
            if (LOG.isDebugEnabled()) {
                LOG.debug("{}: {} says {}", claim.number(), rule.name(), finding.map(Finding::remark).orElse("nothing"));
            }
            finding.ifPresent(findings::add);
        }
        Assessment assessment = new Assessment(claim, reserves.reserveCents(claim), findings);
        LOG.debug("{}: score {}, {}", claim.number(), assessment.score(), assessment.route());
        return assessment;
    }
}
