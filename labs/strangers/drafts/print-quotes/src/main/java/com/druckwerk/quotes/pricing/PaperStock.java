package com.druckwerk.quotes.pricing;

import java.math.BigDecimal;
import java.util.NavigableMap;
import java.util.TreeMap;

/** What paper costs, by its weight in grams a square metre. */
public final class PaperStock {

    private final NavigableMap<Integer, BigDecimal> perThousandSheets = new TreeMap<>();

    public PaperStock() {
        perThousandSheets.put(80, new BigDecimal("9.40"));
        perThousandSheets.put(90, new BigDecimal("10.80"));
        perThousandSheets.put(115, new BigDecimal("13.90"));
        perThousandSheets.put(135, new BigDecimal("16.20"));
        perThousandSheets.put(150, new BigDecimal("18.70"));
        perThousandSheets.put(200, new BigDecimal("26.30"));
        perThousandSheets.put(300, new BigDecimal("41.00"));
    }

    public int inStock(int grammage) {
        Integer stocked = perThousandSheets.ceilingKey(grammage);
        if (stocked == null) {
            throw new IllegalArgumentException("no paper of " + grammage + " g");
        }
        return stocked;
    }

    public BigDecimal cost(int grammage, int sheets) {
        return perThousandSheets.get(inStock(grammage)).multiply(BigDecimal.valueOf(sheets)).movePointLeft(3);
    }
}
