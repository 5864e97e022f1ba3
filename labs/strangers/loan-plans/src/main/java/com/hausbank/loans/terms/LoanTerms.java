package com.hausbank.loans.terms;

import java.math.BigDecimal;
import java.time.YearMonth;
import java.util.Objects;

/** What customer and bank agreed upon. */
public record LoanTerms(BigDecimal principal, BigDecimal nominalRate, int months, YearMonth start, BigDecimal fee) {

    private static final BigDecimal MAX_PRINCIPAL = new BigDecimal("10000000");
    private static final BigDecimal MAX_RATE = new BigDecimal("25");
    private static final int MAX_MONTHS = 480;

    public LoanTerms {
        Objects.requireNonNull(start, "start");
        require(principal.signum() > 0 && principal.compareTo(MAX_PRINCIPAL) <= 0, "principal");
        require(nominalRate.signum() > 0 && nominalRate.compareTo(MAX_RATE) <= 0, "rate");
        require(months >= 6 && months <= MAX_MONTHS, "term");
        require(fee.signum() >= 0 && fee.compareTo(principal) < 0, "fee");
    }

    private static void require(boolean condition, String what) {
        if (!condition) {
            throw new IllegalArgumentException("Out of range: " + what);
        }
    }

    public YearMonth monthOf(int period) {
        return start.plusMonths(period - 1L);
    }

    public BigDecimal paidOut() {
        return principal.subtract(fee);
    }
}
