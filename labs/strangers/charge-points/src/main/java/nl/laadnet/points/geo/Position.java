package nl.laadnet.points.geo;

public record Position(double latitude, double longitude) {

    private static final double EARTH_RADIUS_M = 6_371_000;

    public double metresTo(Position other) {
        double latitude1 = Math.toRadians(latitude);
        double latitude2 = Math.toRadians(other.latitude);
        double sinLatitude = Math.sin((latitude2 - latitude1) / 2);
        double sinLongitude = Math.sin(Math.toRadians(other.longitude - longitude) / 2);
        double h = sinLatitude * sinLatitude
                + Math.cos(latitude1) * Math.cos(latitude2) * sinLongitude * sinLongitude;
        return 2 * EARTH_RADIUS_M * Math.asin(Math.sqrt(h));
    }
}
