package com.druckwerk.quotes.order;

import java.math.BigDecimal;
import java.util.List;

public record Quote(
        String reseller,
        String product,
        int copies,
        List<Position> positions,
        BigDecimal net,
        BigDecimal vat,
        BigDecimal gross,
        int workingDays) {

    public record Position(String step, String text, BigDecimal amount) {
    }
}
