package com.hausbank.loans.plan;

import java.math.BigDecimal;
import java.time.YearMonth;

/** A line of the plan as it is printed. */
public record Payment(YearMonth month, BigDecimal amount, BigDecimal interest, BigDecimal repayment, BigDecimal balance) {
}
