package com.gridhub.curves.profile;

import com.gridhub.curves.site.Site;
import com.gridhub.curves.site.SiteRegistry;
import com.gridhub.curves.store.SegmentCursor;
import com.gridhub.curves.store.SegmentStore;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Adds up the meters of a site. */
public final class ProfileService {

    private final SiteRegistry sites;
    private final SegmentStore store;

    public ProfileService(SiteRegistry sites, SegmentStore store) {
        this.sites = sites;
        this.store = store;
    }

    public SiteProfile profile(String siteId, Period period) {
        Site site = sites.require(siteId);
        List<DayProfile> days = new ArrayList<>(period.days());
        for (LocalDate date : period.dates()) {
            days.add(addUp(site, date));
        }
        return new SiteProfile(site, period, days);
    }

    private DayProfile addUp(Site site, LocalDate date) {
        DayProfile profile = new DayProfile(date);
        for (String meter : site.meters()) {
            Optional<SegmentCursor> opened = store.open(meter, date);
            if (opened.isEmpty()) {
                continue;
            }
            try (SegmentCursor cursor = opened.get()) {
                profile.countMeter();
                int quarter = 0;
                while (cursor.advance()) {
                    profile.add(quarter++, cursor.value());
                }
            }
        }
        return profile;
    }
}
