package com.mautwerk.statements.text;

import com.mautwerk.statements.StatementProperties;

import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.NumberFormat;
import org.springframework.stereotype.Component;

/** Writes amounts of money and distances as the holder of an account is used to read them. */
@Component
public class AmountFormat {

    private final ThreadLocal<NumberFormat> money;
    private final ThreadLocal<NumberFormat> distance;

    public AmountFormat(StatementProperties properties) {
        this.money = ThreadLocal.withInitial(() -> {
            NumberFormat format = NumberFormat.getCurrencyInstance(properties.locale());
            format.setCurrency(properties.currency());
            return format;
        });
        this.distance = ThreadLocal.withInitial(() -> {
            DecimalFormat format = (DecimalFormat) NumberFormat.getNumberInstance(properties.locale());
            format.applyPattern("#,##0.0 'km'");
            return format;
        });
    }

    public String money(BigDecimal amount) {
        return money.get().format(amount);
    }

    public String distance(int metres) {
        return distance.get().format(metres / 1000.0);
    }
}
