package de.lohnwerk.payslip.calc;

import de.lohnwerk.payslip.money.Money;

import java.util.List;

/** The wage of one month, line by line. */
public record Payslip(int month, Money gross, List<Line> deductions, Money net) {

    public record Line(String code, Money amount) {
    }
}
