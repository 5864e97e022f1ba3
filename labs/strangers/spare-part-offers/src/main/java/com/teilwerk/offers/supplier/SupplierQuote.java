package com.teilwerk.offers.supplier;

import java.math.BigDecimal;

public record SupplierQuote(String partNo, int inStock, int leadTimeDays, BigDecimal freight, BigDecimal materialSurcharge) {

    public boolean covers(int quantity) {
        return inStock >= quantity;
    }
}
