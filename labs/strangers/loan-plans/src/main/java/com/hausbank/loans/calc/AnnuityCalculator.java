package com.hausbank.loans.calc;

import com.hausbank.loans.terms.LoanTerms;

import java.math.BigDecimal;

/** The constant payment that repays a loan within its term. */
public final class AnnuityCalculator {

    public BigDecimal payment(LoanTerms terms, InterestAccrual accrual) {
        BigDecimal rate = accrual.monthlyRate();
        BigDecimal growth = BigDecimal.ONE.add(rate).pow(terms.months(), Rounding.CALCULATION);
        BigDecimal numerator = terms.principal().multiply(rate, Rounding.CALCULATION).multiply(growth, Rounding.CALCULATION);
        return Rounding.toCents(numerator.divide(growth.subtract(BigDecimal.ONE), Rounding.CALCULATION));
    }
}
