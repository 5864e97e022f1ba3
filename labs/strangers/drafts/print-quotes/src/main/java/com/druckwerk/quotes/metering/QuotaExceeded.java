package com.druckwerk.quotes.metering;

public final class QuotaExceeded extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public QuotaExceeded(String reseller) {
        super("contingent of " + reseller + " is used up for this month");
    }
}
