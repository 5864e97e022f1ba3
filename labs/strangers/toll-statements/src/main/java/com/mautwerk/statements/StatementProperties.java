package com.mautwerk.statements;

import java.math.BigDecimal;
import java.util.Currency;
import java.util.Locale;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.ConstructorBinding;

@ConstructorBinding
@ConfigurationProperties("statements")
public class StatementProperties {

    private final Locale locale;
    private final Currency currency;
    private final BigDecimal vatPercent;
    private final int tripsPerMonth;

    public StatementProperties(Locale locale, Currency currency, BigDecimal vatPercent, int tripsPerMonth) {
        this.locale = locale;
        this.currency = currency;
        this.vatPercent = vatPercent;
        this.tripsPerMonth = tripsPerMonth;
    }

    public Locale locale() {
        return locale;
    }

    public Currency currency() {
        return currency;
    }

    public BigDecimal vatPercent() {
        return vatPercent;
    }

    public int tripsPerMonth() {
        return tripsPerMonth;
    }
}
