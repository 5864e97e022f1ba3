package com.teilwerk.offers.offer;

import java.math.BigDecimal;

public record Offer(
        String partNo,
        String name,
        String maker,
        int quantity,
        BigDecimal unitPrice,
        BigDecimal discountPercent,
        BigDecimal surcharge,
        BigDecimal freight,
        BigDecimal total,
        boolean fromStock,
        int leadTimeDays) {
}
