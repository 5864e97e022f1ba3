package com.helioroof.estimate.sun;

/** How clear the sky is, month by month. */
public final class Climate {

    private static final double SOLAR_CONSTANT = 1361;

    private final double[] clearness;
    private final double[] diffuseShare;

    private Climate(double[] clearness, double[] diffuseShare) {
        this.clearness = clearness;
        this.diffuseShare = diffuseShare;
    }

    public static Climate centralEurope() {
        return new Climate(
                new double[] {0.33, 0.38, 0.41, 0.46, 0.47, 0.48, 0.49, 0.48, 0.44, 0.39, 0.33, 0.30},
                new double[] {0.66, 0.61, 0.57, 0.52, 0.50, 0.50, 0.48, 0.49, 0.52, 0.57, 0.65, 0.70});
    }

    /** Irradiance on a horizontal plane in watts per square metre. */
    public double horizontal(int month, int dayOfYear, double elevation) {
        double distance = 1 + 0.033 * Math.cos(2 * Math.PI * dayOfYear / 365);
        double airMass = 1 / (Math.sin(elevation) + 0.15 * Math.pow(Math.toDegrees(elevation) + 3.885, -1.253));
        double haze = Math.exp(-0.04 * (airMass - 1));
        return SOLAR_CONSTANT * distance * Math.sin(elevation) * clearness[month - 1] * haze;
    }

    public double diffuseShare(int month) {
        return diffuseShare[month - 1];
    }
}
