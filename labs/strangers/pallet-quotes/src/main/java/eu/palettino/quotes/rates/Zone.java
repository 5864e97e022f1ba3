package eu.palettino.quotes.rates;

/** Zones by the distance between the first two digits of the postcodes of both ends. */
public enum Zone {

    LOCAL(3),
    NEAR(12),
    REGION(25),
    LAND(45),
    FAR(70),
    CROSS(99);

    private final int widest;

    Zone(int widest) {
        this.widest = widest;
    }

    public static Zone between(Postcode from, Postcode to) {
        int distance = Math.abs(from.region() - to.region());
        for (Zone zone : values()) {
            if (distance <= zone.widest) {
                return zone;
            }
        }
        return CROSS;
    }
}
