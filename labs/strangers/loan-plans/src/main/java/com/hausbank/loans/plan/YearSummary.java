package com.hausbank.loans.plan;

import java.math.BigDecimal;

public record YearSummary(int year, BigDecimal paid, BigDecimal interest, BigDecimal repaid, BigDecimal balance) {

    static YearSummary empty(int year) {
        return new YearSummary(year, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO, BigDecimal.ZERO);
    }

    YearSummary with(Payment payment) {
        return new YearSummary(year, paid.add(payment.amount()), interest.add(payment.interest()),
                repaid.add(payment.repayment()), payment.balance());
    }
}
