package com.druckwerk.quotes.metering;

import java.util.Map;

/** How many quoted positions a reseller may ask for in a month. */
public final class ContractBook {

    private static final long STANDARD = 20_000_000L;

    private final Map<String, Long> agreed = Map.of(
            "copyhaus", 60_000_000L,
            "werbeland", 80_000_000L,
            "flyerprofi", 120_000_000L);

    public long monthlyPositions(String reseller) {
        return agreed.getOrDefault(reseller, STANDARD);
    }
}
