package com.northpost.commons;

import java.math.BigDecimal;

/** Units in which carriers state weights and lengths. */
public enum MeasureUnit {

    KILOGRAM("kg", Dimension.MASS, new BigDecimal("1")),
    GRAM("g", Dimension.MASS, new BigDecimal("0.001")),
    POUND("lb", Dimension.MASS, new BigDecimal("0.45359237")),
    CENTIMETRE("cm", Dimension.LENGTH, new BigDecimal("1")),
    INCH("in", Dimension.LENGTH, new BigDecimal("2.54"));

    public enum Dimension { MASS, LENGTH }

    private final String symbol;
    private final Dimension dimension;
    private final BigDecimal toBase;

    MeasureUnit(String symbol, Dimension dimension, BigDecimal toBase) {
        this.symbol = symbol;
        this.dimension = dimension;
        this.toBase = toBase;
    }

    public String symbol() {
        return symbol;
    }

    public Dimension dimension() {
        return dimension;
    }

    public BigDecimal toBase() {
        return toBase;
    }

    public static MeasureUnit ofSymbol(String symbol) {
        for (MeasureUnit unit : values()) {
            if (unit.symbol.equals(symbol)) {
                return unit;
            }
        }
        throw new IllegalArgumentException("Unknown unit: " + symbol);
    }
}
