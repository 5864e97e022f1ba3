package com.assura.claims.claim;

public enum Product {

    HOUSEHOLD(25_000_00, 150_00, 8),
    BICYCLE(4_000_00, 100_00, 15),
    GLASS(3_000_00, 0, 0),
    LIABILITY(500_000_00, 250_00, 0);

    private final long limitCents;
    private final long deductibleCents;
    private final int yearlyDepreciationPercent;

    Product(long limitCents, long deductibleCents, int yearlyDepreciationPercent) {
        this.limitCents = limitCents;
        this.deductibleCents = deductibleCents;
        this.yearlyDepreciationPercent = yearlyDepreciationPercent;
    }

    public long limitCents() {
        return limitCents;
    }

    public long deductibleCents() {
        return deductibleCents;
    }

    public int yearlyDepreciationPercent() {
        return yearlyDepreciationPercent;
    }
}
