package de.lohnwerk.payslip.calc;

import de.lohnwerk.payslip.calc.Payslip.Line;
import de.lohnwerk.payslip.money.Money;

import java.util.ArrayList;
import java.util.List;

/** Collects what is taken off a wage. */
class Deductions {

    private final List<Line> lines = new ArrayList<>();
    private Money total = Money.ZERO;

    void add(String code, Money amount) {
        if (!amount.isZero()) {
            lines.add(new Line(code, amount));
            total = total.plus(amount);
        }
    }

    List<Line> lines() {
        return lines;
    }

    Money total() {
        return total;
    }
}
