package com.hausbank.loans.calc;

import com.hausbank.loans.plan.Payment;
import com.hausbank.loans.terms.LoanTerms;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.List;

/** The yearly rate at which all payments are worth what was paid out. */
public final class EffectiveRate {

    private static final int MAX_STEPS = 40;
    private static final double PRECISION = 1e-9;

    public BigDecimal percent(LoanTerms terms, List<Payment> payments) {
        double[] amounts = new double[payments.size()];
        for (int i = 0; i < amounts.length; i++) {
            amounts[i] = payments.get(i).amount().doubleValue();
        }
        double target = terms.paidOut().doubleValue();
        double monthly = terms.nominalRate().doubleValue() / 1200;
        for (int step = 0; step < MAX_STEPS; step++) {
            double value = -target;
            double slope = 0;
            double discount = 1;
            double factor = 1 / (1 + monthly);
            for (int i = 0; i < amounts.length; i++) {
                discount *= factor;
                value += amounts[i] * discount;
                slope -= (i + 1) * amounts[i] * discount * factor;
            }
            double next = monthly - value / slope;
            if (Math.abs(next - monthly) < PRECISION) {
                monthly = next;
                break;
            }
            monthly = next;
        }
        double yearly = Math.pow(1 + monthly, 12) - 1;
        return BigDecimal.valueOf(yearly * 100).setScale(2, RoundingMode.HALF_UP);
    }
}
