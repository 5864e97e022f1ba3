package com.hausbank.loans.calc;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;

/** How the bank rounds: amounts of money when they are printed (handbook on statements, 4.2). */
public final class Rounding {

    /** For quotients and powers. */
    public static final MathContext CALCULATION = MathContext.DECIMAL128;

    /** Digits of a monthly rate. */
    static final int RATE_SCALE = 12;

    private Rounding() {
    }

    public static BigDecimal toCents(BigDecimal amount) {
        return amount.setScale(2, RoundingMode.HALF_UP);
    }
}
