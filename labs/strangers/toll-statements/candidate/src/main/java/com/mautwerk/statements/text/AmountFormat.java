package com.mautwerk.statements.text;

import com.mautwerk.statements.StatementProperties;

import java.math.BigDecimal;
import java.text.DecimalFormat;
import java.text.NumberFormat;
import org.springframework.beans.factory.config.ConfigurableBeanFactory;
import org.springframework.context.annotation.Scope;
import org.springframework.context.annotation.ScopedProxyMode;
import org.springframework.stereotype.Component;

/**
 * Writes amounts of money and distances as the holder of an account is used to read them. The JDK's
 * formats must not be shared between threads, nor do we want them to stay behind in the threads of
 * the container.
 */
@Component
@Scope(value = ConfigurableBeanFactory.SCOPE_PROTOTYPE, proxyMode = ScopedProxyMode.TARGET_CLASS)
public class AmountFormat {

    private static final String KILOMETRES = "#,##0.0 'km'";

    private final NumberFormat money;
    private final DecimalFormat distance;

    public AmountFormat(StatementProperties properties) {
        this.money = NumberFormat.getCurrencyInstance(properties.locale());
        this.money.setCurrency(properties.currency());
        this.distance = (DecimalFormat) NumberFormat.getNumberInstance(properties.locale());
        this.distance.applyPattern(KILOMETRES);
    }

    public String money(BigDecimal amount) {
        return money.format(amount);
    }

    public String distance(int metres) {
        return distance.format(metres / 1000.0);
    }
}
