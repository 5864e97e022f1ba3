package com.helioroof.estimate.sun;

/** Where the sun stands: radians, azimuth 0 is south and positive in the west. */
public record SunPosition(double elevation, double azimuth) {

    private static final double OBLIQUITY = Math.toRadians(23.45);

    public static SunPosition at(double latitudeDegrees, int dayOfYear, double solarHour) {
        double latitude = Math.toRadians(latitudeDegrees);
        double declination = OBLIQUITY * Math.sin(2 * Math.PI * (284 + dayOfYear) / 365);
        double hourAngle = Math.toRadians(15 * (solarHour - 12));
        double sinElevation = Math.sin(latitude) * Math.sin(declination)
                + Math.cos(latitude) * Math.cos(declination) * Math.cos(hourAngle);
        double azimuth = Math.atan2(Math.sin(hourAngle),
                Math.cos(hourAngle) * Math.sin(latitude) - Math.tan(declination) * Math.cos(latitude));
        return new SunPosition(Math.asin(sinElevation), azimuth);
    }

    public boolean isUp() {
        return elevation > 0;
    }

    /** Cosine of the angle between the sun and the normal of a tilted plane. */
    public double incidence(double tilt, double planeAzimuth) {
        return Math.sin(elevation) * Math.cos(tilt)
                + Math.cos(elevation) * Math.sin(tilt) * Math.cos(azimuth - planeAzimuth);
    }
}
