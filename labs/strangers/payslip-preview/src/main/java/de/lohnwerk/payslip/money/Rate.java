package de.lohnwerk.payslip.money;

/** A share of an amount, in millionths. */
public record Rate(long millionths) {

    public static final Rate NONE = new Rate(0);

    /** Reads {@code 14.6} as 14.6 percent. */
    public static Rate percent(String text) {
        return new Rate(Math.round(Double.parseDouble(text) * 10_000));
    }

    public Rate plus(Rate other) {
        return new Rate(millionths + other.millionths);
    }

    public Rate half() {
        return new Rate(millionths / 2);
    }

    public Money of(Money amount) {
        return new Money(rounded(amount.cents() * millionths));
    }

    private static long rounded(long product) {
        return Math.floorDiv(product + 500_000, 1_000_000);
    }
}
