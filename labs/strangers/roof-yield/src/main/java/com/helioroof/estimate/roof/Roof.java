package com.helioroof.estimate.roof;

/** A roof face: angles in degrees, azimuth 0 is south and 90 west. */
public record Roof(
        String id,
        String town,
        double latitude,
        double tilt,
        double azimuth,
        double squareMetres,
        double[] horizon) {

    private static final int SECTORS = 24;

    /** Height of the horizon in degrees in the direction of an azimuth. */
    public double horizonAt(double direction) {
        int sector = (int) Math.floor((direction + 180) / 360 * SECTORS);
        return horizon[Math.floorMod(sector, SECTORS)];
    }
}
