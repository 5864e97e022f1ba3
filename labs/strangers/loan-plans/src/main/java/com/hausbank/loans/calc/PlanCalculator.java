package com.hausbank.loans.calc;

import com.hausbank.loans.plan.Payment;
import com.hausbank.loans.plan.RepaymentPlan;
import com.hausbank.loans.terms.LoanTerms;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** Lays out month by month how a loan is repaid. */
public final class PlanCalculator {

    private final AnnuityCalculator annuities;
    private final EffectiveRate effectiveRate;

    public PlanCalculator(AnnuityCalculator annuities, EffectiveRate effectiveRate) {
        this.annuities = annuities;
        this.effectiveRate = effectiveRate;
    }

    /** Constant payments; the last one settles what rounding has left over. */
    public RepaymentPlan annuity(LoanTerms terms) {
        InterestAccrual accrual = InterestAccrual.of(terms);
        BigDecimal payment = annuities.payment(terms, accrual);
        List<Payment> payments = new ArrayList<>(terms.months());
        BigDecimal balance = terms.principal();
        for (int period = 1; period <= terms.months(); period++) {
            BigDecimal interest = accrual.on(balance);
            boolean last = period == terms.months();
            BigDecimal amount = last ? balance.add(interest) : payment;
            BigDecimal repayment = amount.subtract(interest);
            balance = last ? BigDecimal.ZERO : balance.subtract(repayment);
            payments.add(statement(terms, period, amount, interest, balance));
        }
        return finish(terms, payment, payments);
    }

    /** Constant repayment, falling interest. */
    public RepaymentPlan instalment(LoanTerms terms) {
        InterestAccrual accrual = InterestAccrual.of(terms);
        BigDecimal repayment = Rounding.toCents(
                terms.principal().divide(BigDecimal.valueOf(terms.months()), Rounding.CALCULATION));
        List<Payment> payments = new ArrayList<>(terms.months());
        BigDecimal balance = terms.principal();
        for (int period = 1; period <= terms.months(); period++) {
            BigDecimal interest = accrual.on(balance);
            BigDecimal share = period == terms.months() ? balance : repayment;
            balance = balance.subtract(share);
            payments.add(statement(terms, period, share.add(interest), interest, balance));
        }
        return finish(terms, repayment, payments);
    }

    private static Payment statement(LoanTerms terms, int period, BigDecimal amount, BigDecimal interest, BigDecimal balance) {
        BigDecimal roundedAmount = Rounding.toCents(amount);
        BigDecimal roundedInterest = Rounding.toCents(interest);
        return new Payment(terms.monthOf(period), roundedAmount, roundedInterest,
                roundedAmount.subtract(roundedInterest), Rounding.toCents(balance));
    }

    private RepaymentPlan finish(LoanTerms terms, BigDecimal regular, List<Payment> payments) {
        return new RepaymentPlan(terms, regular, effectiveRate.percent(terms, payments), List.copyOf(payments));
    }
}
