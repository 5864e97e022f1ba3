package com.gridhub.curves.profile;

import com.gridhub.curves.site.Site;

import java.util.Comparator;
import java.util.List;

public record SiteProfile(Site site, Period period, List<DayProfile> days) {

    public long energy() {
        return days.stream().mapToLong(DayProfile::energy).sum();
    }

    public DayProfile peakDay() {
        return days.stream()
                .max(Comparator.comparingLong((DayProfile day) -> day.watts(day.peakQuarter())))
                .orElseThrow();
    }

    /** Hours in which the peak load would have used the same energy. */
    public double fullLoadHours() {
        long peak = peakDay().watts(peakDay().peakQuarter());
        return peak == 0 ? 0 : (double) energy() / peak;
    }
}
