package de.lohnwerk.payslip.social;

import de.lohnwerk.payslip.money.Money;
import de.lohnwerk.payslip.money.Rate;

/** One branch of social insurance: what the employee pays for it, up to a monthly ceiling. */
record Contribution(String code, Rate rate, Money ceiling) {

    Money of(Money gross) {
        return rate.half().of(gross.atMost(ceiling));
    }
}
