package com.northpost.commons;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/**
 * An amount with its unit, such as 2.5 kg. Measures of different dimensions cannot be compared,
 * hence there is no natural order; see {@link #exceeds(Measure)}.
 */
public final class Measure {

    private final BigDecimal amount;
    private final MeasureUnit unit;

    private Measure(BigDecimal amount, MeasureUnit unit) {
        this.amount = amount;
        this.unit = unit;
    }

    public static Measure of(BigDecimal amount, MeasureUnit unit) {
        Objects.requireNonNull(unit, "unit");
        BigDecimal plain = amount.signum() == 0 ? BigDecimal.ZERO : amount.stripTrailingZeros();
        return new Measure(plain, unit);
    }

    public static Measure of(String amount, MeasureUnit unit) {
        return of(new BigDecimal(amount), unit);
    }

    /** Reads texts such as {@code 2.5kg}; without a unit the default is taken. */
    public static Measure parse(String text, MeasureUnit defaultUnit) {
        String trimmed = text.trim();
        int end = trimmed.length();
        while (end > 0 && Character.isLetter(trimmed.charAt(end - 1))) {
            end--;
        }
        MeasureUnit unit = end == trimmed.length() ? defaultUnit : MeasureUnit.ofSymbol(trimmed.substring(end));
        try {
            return of(new BigDecimal(trimmed.substring(0, end).trim()), unit);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("Not a measure: " + text, e);
        }
    }

    public BigDecimal amount() {
        return amount;
    }

    public MeasureUnit unit() {
        return unit;
    }

    public Measure in(MeasureUnit target) {
        if (unit == target) {
            return this;
        }
        requireSameDimension(target);
        BigDecimal base = amount.multiply(unit.toBase());
        return of(base.divide(target.toBase(), 6, RoundingMode.HALF_UP), target);
    }

    /** The smallest multiple of {@code step} that is not below this measure. */
    public Measure roundedUpTo(Measure step) {
        Measure other = step.in(unit);
        BigDecimal steps = amount.divide(other.amount, 0, RoundingMode.CEILING);
        return of(steps.multiply(other.amount), unit);
    }

    public boolean exceeds(Measure limit) {
        return amount.compareTo(limit.in(unit).amount) > 0;
    }

    public Measure plus(Measure other) {
        return of(amount.add(other.in(unit).amount), unit);
    }

    private void requireSameDimension(MeasureUnit target) {
        if (unit.dimension() != target.dimension()) {
            throw new IllegalArgumentException(unit + " cannot be converted to " + target);
        }
    }

    @Override
    public boolean equals(Object o) {
        return o instanceof Measure other && unit == other.unit && amount.equals(other.amount);
    }

    @Override
    public int hashCode() {
        return 31 * amount.hashCode() + unit.hashCode();
    }

    @Override
    public String toString() {
        return amount.toPlainString() + " " + unit.symbol();
    }
}
