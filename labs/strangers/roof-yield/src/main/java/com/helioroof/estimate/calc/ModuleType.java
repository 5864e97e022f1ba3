package com.helioroof.estimate.calc;

import java.util.Locale;

public enum ModuleType {

    STANDARD(0.205, 0.86),
    PREMIUM(0.228, 0.88),
    THIN_FILM(0.142, 0.89);

    private final double efficiency;
    private final double performanceRatio;

    ModuleType(double efficiency, double performanceRatio) {
        this.efficiency = efficiency;
        this.performanceRatio = performanceRatio;
    }

    public double systemEfficiency() {
        return efficiency * performanceRatio;
    }

    public static ModuleType parse(String text) {
        if (text == null) {
            return STANDARD;
        }
        try {
            return valueOf(text.toUpperCase(Locale.ROOT).replace('-', '_'));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("Unknown module type: " + text);
        }
    }
}
