package de.lohnwerk.payslip.calc;

import de.lohnwerk.payslip.employee.Employee;
import de.lohnwerk.payslip.money.Money;
import de.lohnwerk.payslip.social.SocialInsurance;
import de.lohnwerk.payslip.tax.WageTax;

import java.util.ArrayList;
import java.util.List;

/** From gross to net, and back. */
public class PayslipCalculator {

    private static final int MONTHS = 12;

    private final WageTax tax;
    private final SocialInsurance insurance;

    public PayslipCalculator(WageTax tax, SocialInsurance insurance) {
        this.tax = tax;
        this.insurance = insurance;
    }

    public List<Payslip> year(Employee employee, int bonusMonth, Money bonus) {
        List<Payslip> payslips = new ArrayList<>(MONTHS);
        for (int month = 1; month <= MONTHS; month++) {
            payslips.add(month(employee, month, month == bonusMonth ? bonus : Money.ZERO));
        }
        return payslips;
    }

    public Payslip month(Employee employee, int month, Money bonus) {
        Money regular = employee.salary().plus(employee.allowance());
        Money once = employee.extra(month).plus(bonus);
        Money gross = regular.plus(once);
        Deductions deductions = new Deductions();
        insurance.each(gross, employee.children(), deductions::add);
        Money incomeTax = incomeTax(employee, regular, once);
        deductions.add("LST", incomeTax);
        deductions.add("SOLZ", tax.solidarity(incomeTax.times(MONTHS)).dividedBy(MONTHS));
        deductions.add("KIST", tax.churchTax(incomeTax, employee.churchTax()));
        deductions.add("VL", employee.savings());
        return new Payslip(month, gross, deductions.lines(), gross.minus(deductions.total()));
    }

    /** The monthly share of the tax on the regular wage, and all that a one-off payment adds to the year's tax. */
    private Money incomeTax(Employee employee, Money regular, Money once) {
        Money yearly = regular.times(MONTHS);
        Money taxOnRegular = tax.incomeTax(yearly, employee.taxClass());
        Money monthly = taxOnRegular.dividedBy(MONTHS);
        if (once.isZero()) {
            return monthly;
        }
        return monthly.plus(tax.incomeTax(yearly.plus(once), employee.taxClass()).minus(taxOnRegular));
    }

    /** The smallest gross bonus that leaves the employee with the given net bonus. */
    public Money grossBonus(Employee employee, int month, Money netBonus) {
        Money without = month(employee, month, Money.ZERO).net();
        long low = netBonus.cents();
        long high = netBonus.times(4).cents();
        while (low < high) {
            long middle = (low + high) >>> 1;
            Money gained = month(employee, month, new Money(middle)).net().minus(without);
            if (gained.compareTo(netBonus) < 0) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return new Money(low);
    }
}
