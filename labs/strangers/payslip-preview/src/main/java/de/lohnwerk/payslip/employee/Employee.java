package de.lohnwerk.payslip.employee;

import de.lohnwerk.payslip.money.Money;
import de.lohnwerk.payslip.money.Rate;
import de.lohnwerk.payslip.tax.TaxClass;

public record Employee(int number, String name, Money salary, TaxClass taxClass, int children, Rate churchTax,
                       Money allowance, Money savings) {

    /** What is paid beside the salary in a month: holiday pay in June, Christmas pay in November. */
    public Money extra(int month) {
        return switch (month) {
            case 6 -> salary.half();
            case 11 -> salary.times(3).dividedBy(4);
            default -> Money.ZERO;
        };
    }
}
