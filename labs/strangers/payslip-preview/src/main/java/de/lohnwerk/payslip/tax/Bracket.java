package de.lohnwerk.payslip.tax;

import de.lohnwerk.payslip.money.Money;
import de.lohnwerk.payslip.money.Rate;

/** What is earned between two limits is taxed at one rate. */
record Bracket(Money from, Money to, Rate rate) {

    Money taxOn(Money income) {
        return rate.of(share(income));
    }

    private Money share(Money income) {
        return income.atMost(to).minus(from).notNegative();
    }
}
