package ie.greenbasket.assortment;

public enum VatClass {
    ZERO(0), REDUCED(1350), STANDARD(2300);

    private final int basisPoints;

    VatClass(int basisPoints) {
        this.basisPoints = basisPoints;
    }

    /** The part of a gross amount that is VAT. */
    public int partOf(int grossCents) {
        return (int) Math.round((double) grossCents * basisPoints / (10_000 + basisPoints));
    }
}
