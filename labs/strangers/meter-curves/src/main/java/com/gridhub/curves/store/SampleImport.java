package com.gridhub.curves.store;

import com.gridhub.curves.site.Site;
import com.gridhub.curves.site.SiteRegistry;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.util.Random;

/** Fills the store with plausible readings until the import from the meter gateway is connected. */
public final class SampleImport {

    private static final int QUARTERS = 96;

    private final SegmentStore store;

    public SampleImport(SegmentStore store) {
        this.store = store;
    }

    public void importDays(SiteRegistry sites, LocalDate first, int days) {
        for (Site site : sites.all()) {
            for (String meter : site.meters()) {
                Random random = new Random(meter.hashCode() * 31L);
                double share = 0.4 + random.nextDouble();
                for (int d = 0; d < days; d++) {
                    LocalDate day = first.plusDays(d);
                    store.put(meter, day, readings(site.kind(), day, share, random));
                }
            }
        }
    }

    private static Segment readings(Site.Kind kind, LocalDate day, double share, Random random) {
        boolean weekend = day.getDayOfWeek() == DayOfWeek.SATURDAY || day.getDayOfWeek() == DayOfWeek.SUNDAY;
        SegmentWriter writer = new SegmentWriter();
        for (int q = 0; q < QUARTERS; q++) {
            double load = load(kind, q / 4d, weekend) * share;
            writer.add((int) Math.max(0, load * (0.9 + 0.2 * random.nextDouble())));
        }
        return writer.finish();
    }

    private static double load(Site.Kind kind, double hour, boolean weekend) {
        return switch (kind) {
            case OFFICE -> weekend ? 180 : 200 + 900 * bell(hour, 11.5, 4);
            case BAKERY -> 150 + 1600 * bell(hour, 4, 2) + 300 * bell(hour, 15, 3);
            case COLD_STORE -> 700 + 120 * bell(hour, 14, 5);
            case SCHOOL -> weekend ? 90 : 120 + 600 * bell(hour, 10, 2.5);
        };
    }

    private static double bell(double hour, double at, double width) {
        double x = (hour - at) / width;
        return Math.exp(-x * x / 2);
    }
}
