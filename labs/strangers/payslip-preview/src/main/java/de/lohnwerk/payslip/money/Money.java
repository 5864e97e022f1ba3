package de.lohnwerk.payslip.money;

/** An amount in euro, exact to the cent. */
public record Money(long cents) implements Comparable<Money> {

    public static final Money ZERO = new Money(0);

    public static Money euro(long euro) {
        return new Money(euro * 100);
    }

    public static Money parse(String text) {
        int point = text.indexOf('.');
        if (point < 0) {
            return euro(Long.parseLong(text));
        }
        String fraction = (text.substring(point + 1) + "00").substring(0, 2);
        return new Money(Long.parseLong(text.substring(0, point)) * 100 + Long.parseLong(fraction));
    }

    public Money plus(Money other) {
        return new Money(cents + other.cents);
    }

    public Money minus(Money other) {
        return new Money(cents - other.cents);
    }

    public Money times(long factor) {
        return new Money(cents * factor);
    }

    public Money half() {
        return new Money(Math.floorDiv(cents, 2));
    }

    public Money dividedBy(long divisor) {
        return new Money(Math.round(cents / (double) divisor));
    }

    public Money atMost(Money limit) {
        return compareTo(limit) > 0 ? limit : this;
    }

    public Money notNegative() {
        return cents < 0 ? ZERO : this;
    }

    public boolean isZero() {
        return cents == 0;
    }

    public boolean isMoreThan(Money other) {
        return compareTo(other) > 0;
    }

    @Override
    public int compareTo(Money other) {
        return Long.compare(cents, other.cents);
    }

    @Override
    public String toString() {
        long whole = Math.abs(cents) / 100;
        long rest = Math.abs(cents) % 100;
        return (cents < 0 ? "-" : "") + whole + (rest < 10 ? ".0" : ".") + rest;
    }
}
