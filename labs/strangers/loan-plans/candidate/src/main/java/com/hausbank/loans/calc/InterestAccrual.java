package com.hausbank.loans.calc;

import com.hausbank.loans.terms.LoanTerms;

import java.math.BigDecimal;
import java.math.RoundingMode;

/** Interest by months of equal length (30/360). */
public final class InterestAccrual {

    private static final BigDecimal MONTHS_AND_PERCENT = new BigDecimal("1200");

    private final BigDecimal monthlyRate;

    private InterestAccrual(BigDecimal monthlyRate) {
        this.monthlyRate = monthlyRate;
    }

    public static InterestAccrual of(LoanTerms terms) {
        return new InterestAccrual(
                terms.nominalRate().divide(MONTHS_AND_PERCENT, Rounding.RATE_SCALE, RoundingMode.HALF_EVEN));
    }

    public BigDecimal monthlyRate() {
        return monthlyRate;
    }

    /** The exact interest that a balance bears in one month. */
    public BigDecimal on(BigDecimal balance) {
        return balance.multiply(monthlyRate);
    }
}
