package de.lohnwerk.payslip.social;

import de.lohnwerk.payslip.money.Money;
import de.lohnwerk.payslip.money.Rate;

import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

public class SocialInsurance {

    private static final Money HEALTH_CEILING = new Money(551_250);
    private static final Money PENSION_CEILING = Money.euro(8_050);
    private static final Rate CHILDLESS = Rate.percent("1.2");

    private final List<Contribution> contributions;

    private SocialInsurance(List<Contribution> contributions) {
        this.contributions = List.copyOf(contributions);
    }

    public static SocialInsurance load() {
        List<Contribution> contributions = new ArrayList<>();
        contributions.add(new Contribution("KV", Rate.percent("14.6"), HEALTH_CEILING));
        contributions.add(new Contribution("KVZ", Rate.percent("2.5"), HEALTH_CEILING));
        contributions.add(new Contribution("PV", Rate.percent("3.6"), HEALTH_CEILING));
        contributions.add(new Contribution("RV", Rate.percent("18.6"), PENSION_CEILING));
        contributions.add(new Contribution("AV", Rate.percent("2.6"), PENSION_CEILING));
        return new SocialInsurance(contributions);
    }

    public void each(Money gross, int children, BiConsumer<String, Money> receiver) {
        for (Contribution contribution : contributions) {
            Money amount = contribution.of(gross);
            if (contribution.code().equals("PV") && children == 0) {
                amount = amount.plus(CHILDLESS.half().of(gross.atMost(contribution.ceiling())));
            }
            receiver.accept(contribution.code(), amount);
        }
    }

    public Money total(Money gross, int children) {
        Money[] sum = {Money.ZERO};
        each(gross, children, (code, amount) -> sum[0] = sum[0].plus(amount));
        return sum[0];
    }
}
