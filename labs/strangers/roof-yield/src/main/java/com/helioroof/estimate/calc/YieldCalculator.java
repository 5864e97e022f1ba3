package com.helioroof.estimate.calc;

import com.helioroof.estimate.roof.Roof;
import com.helioroof.estimate.sun.Climate;
import com.helioroof.estimate.sun.SunPosition;

import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;

/** Follows the sun over sample days of each month. */
public final class YieldCalculator {

    private static final int REFERENCE_YEAR = 2023;
    private static final int SAMPLE_EVERY_DAYS = 5;
    private static final double HOURS = 1.0;
    private static final double ALBEDO = 0.2;

    private final Climate climate;

    public YieldCalculator(Climate climate) {
        this.climate = climate;
    }

    public RoofYield calculate(Roof roof, int[] months, ModuleType module) {
        List<RoofYield.MonthlyYield> yields = new ArrayList<>(months.length);
        for (int month : months) {
            yields.add(month(roof, YearMonth.of(REFERENCE_YEAR, month), module));
        }
        return new RoofYield(List.copyOf(yields));
    }

    private RoofYield.MonthlyYield month(Roof roof, YearMonth month, ModuleType module) {
        double wattHours = 0;
        double sunHours = 0;
        int samples = 0;
        for (int day = 1; day <= month.lengthOfMonth(); day += SAMPLE_EVERY_DAYS) {
            int dayOfYear = month.atDay(day).getDayOfYear();
            samples++;
            for (double hour = HOURS / 2; hour < 24; hour += HOURS) {
                SunPosition sun = SunPosition.at(roof.latitude(), dayOfYear, hour);
                if (!sun.isUp()) {
                    continue;
                }
                boolean shaded = Math.toDegrees(sun.elevation()) < roof.horizonAt(Math.toDegrees(sun.azimuth()));
                wattHours += irradiance(roof, month.getMonthValue(), dayOfYear, sun, shaded) * HOURS;
                sunHours += shaded ? 0 : HOURS;
            }
        }
        double days = (double) month.lengthOfMonth() / samples;
        double energy = wattHours * days * roof.squareMetres() * module.systemEfficiency() / 1000;
        return new RoofYield.MonthlyYield(month.getMonthValue(), energy, sunHours * days);
    }

    private double irradiance(Roof roof, int month, int dayOfYear, SunPosition sun, boolean shaded) {
        double tilt = Math.toRadians(roof.tilt());
        double horizontal = climate.horizontal(month, dayOfYear, sun.elevation());
        double diffuse = horizontal * climate.diffuseShare(month);
        double direct = 0;
        if (!shaded) {
            double incidence = sun.incidence(tilt, Math.toRadians(roof.azimuth()));
            direct = Math.max(0, (horizontal - diffuse) * incidence / Math.max(0.05, Math.sin(sun.elevation())));
        }
        double sky = (1 + Math.cos(tilt)) / 2;
        return direct + diffuse * sky + horizontal * ALBEDO * (1 - sky);
    }
}
