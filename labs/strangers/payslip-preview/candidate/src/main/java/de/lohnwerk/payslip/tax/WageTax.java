package de.lohnwerk.payslip.tax;

import de.lohnwerk.payslip.money.Money;
import de.lohnwerk.payslip.money.Rate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** Income tax on wages, in steps of the table tax-2025.csv, with solidarity and church tax. */
public class WageTax {

    private static final Money SOLIDARITY_FREE = Money.euro(19_950);
    private static final Rate SOLIDARITY = Rate.percent("5.5");

    private final List<Bracket> brackets;

    private WageTax(List<Bracket> brackets) {
        this.brackets = List.copyOf(brackets);
    }

    public static WageTax load() {
        List<Bracket> brackets = new ArrayList<>();
        InputStream stream = WageTax.class.getResourceAsStream("/tax-2025.csv");
        try (BufferedReader reader = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
            String line;
            while ((line = reader.readLine()) != null) {
                if (!line.startsWith("#")) {
                    String[] cells = line.split(";");
                    brackets.add(new Bracket(Money.parse(cells[0]), Money.parse(cells[1]), Rate.percent(cells[2])));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new WageTax(brackets);
    }

    /** The income tax on a year's wages. */
    public Money incomeTax(Money yearly, TaxClass taxClass) {
        Money taxable = yearly.minus(taxClass.allowances()).notNegative();
        return taxClass.splitting() ? byTariff(taxable.half()).times(2) : byTariff(taxable);
    }

    public Money solidarity(Money incomeTax) {
        return incomeTax.isMoreThan(SOLIDARITY_FREE) ? SOLIDARITY.of(incomeTax.minus(SOLIDARITY_FREE)) : Money.ZERO;
    }

    public Money churchTax(Money incomeTax, Rate rate) {
        return rate.of(incomeTax);
    }

    private Money byTariff(Money taxable) {
        Money tax = Money.ZERO;
        for (Bracket bracket : brackets) {
            tax = tax.plus(bracket.taxOn(taxable));
        }
        return tax;
    }
}
