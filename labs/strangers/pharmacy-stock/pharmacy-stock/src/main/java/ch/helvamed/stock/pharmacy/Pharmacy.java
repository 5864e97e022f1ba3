package ch.helvamed.stock.pharmacy;

public record Pharmacy(String id, String name, String town, int east, int north, boolean emergency) {

    /** Metres in the plane of the Swiss grid. */
    public int distanceTo(int otherEast, int otherNorth) {
        double dx = east - otherEast;
        double dy = north - otherNorth;
        return (int) Math.round(Math.sqrt(dx * dx + dy * dy));
    }
}
