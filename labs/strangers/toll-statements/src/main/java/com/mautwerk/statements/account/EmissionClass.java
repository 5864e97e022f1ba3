package com.mautwerk.statements.account;

import java.math.BigDecimal;

public enum EmissionClass {

    EURO_IV("0.0180"),
    EURO_V("0.0120"),
    EURO_VI("0.0065"),
    ELECTRIC("0.0000");

    private final BigDecimal surchargePerKm;

    EmissionClass(String surchargePerKm) {
        this.surchargePerKm = new BigDecimal(surchargePerKm);
    }

    public BigDecimal surchargePerKm() {
        return surchargePerKm;
    }
}
