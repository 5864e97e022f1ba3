package com.teilwerk.offers.catalog;

import java.math.BigDecimal;

public record Part(
        String partNo,
        String name,
        String maker,
        BigDecimal listPrice,
        int weightGrams,
        char discountGroup) {
}
