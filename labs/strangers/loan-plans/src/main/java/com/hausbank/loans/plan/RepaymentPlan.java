package com.hausbank.loans.plan;

import com.hausbank.loans.terms.LoanTerms;

import java.math.BigDecimal;
import java.util.List;
import java.util.TreeMap;

public record RepaymentPlan(LoanTerms terms, BigDecimal regular, BigDecimal effectiveRate, List<Payment> payments) {

    public List<YearSummary> years() {
        TreeMap<Integer, YearSummary> years = new TreeMap<>();
        for (Payment payment : payments) {
            int year = payment.month().getYear();
            years.put(year, years.getOrDefault(year, YearSummary.empty(year)).with(payment));
        }
        return List.copyOf(years.values());
    }

    public BigDecimal totalInterest() {
        return payments.stream().map(Payment::interest).reduce(BigDecimal.ZERO, BigDecimal::add);
    }

    public Payment last() {
        return payments.get(payments.size() - 1);
    }
}
