package de.lohnwerk.payslip.tax;

import de.lohnwerk.payslip.money.Money;

/** The class that an employee is taxed in: which allowances are left and whether income is split. */
public enum TaxClass {

    I(1_230, 0, false), II(1_230, 4_260, false), III(1_230, 0, true), IV(1_230, 0, false), V(0, 0, false), VI(0, 0, false);

    private final Money lumpSum;
    private final Money relief;
    private final boolean splitting;

    TaxClass(long lumpSum, long relief, boolean splitting) {
        this.lumpSum = Money.euro(lumpSum);
        this.relief = Money.euro(relief);
        this.splitting = splitting;
    }

    Money allowances() {
        return lumpSum.plus(relief);
    }

    boolean splitting() {
        return splitting;
    }
}
