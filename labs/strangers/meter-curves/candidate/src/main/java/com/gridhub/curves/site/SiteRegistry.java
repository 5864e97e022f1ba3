package com.gridhub.curves.site;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

public final class SiteRegistry {

    private static final String[] TOWNS = {
            "Aurich", "Bautzen", "Celle", "Dachau", "Emden", "Fulda", "Goslar", "Husum", "Ilmenau", "Jever"
    };
    private static final int METERS_PER_SITE = 24;

    private final Map<String, Site> sites = new LinkedHashMap<>();

    public static SiteRegistry withDefaults() {
        SiteRegistry registry = new SiteRegistry();
        for (int i = 0; i < TOWNS.length; i++) {
            String id = TOWNS[i].toLowerCase(Locale.ROOT) + "-" + (i + 1);
            Site.Kind kind = Site.Kind.values()[i % Site.Kind.values().length];
            List<String> meters = new ArrayList<>();
            for (int m = 1; m <= METERS_PER_SITE; m++) {
                meters.add(String.format(Locale.ROOT, "1GHB%03d%05d", i + 1, m * 17));
            }
            registry.register(new Site(id, label(kind) + " " + TOWNS[i], kind, List.copyOf(meters)));
        }
        return registry;
    }

    public void register(Site site) {
        if (sites.putIfAbsent(site.id(), site) != null) {
            throw new IllegalStateException("Site registered twice: " + site.id());
        }
    }

    public Site require(String id) {
        Site site = sites.get(id);
        if (site == null) {
            throw new IllegalArgumentException("Unknown site: " + id);
        }
        return site;
    }

    public Collection<Site> all() {
        return sites.values();
    }

    private static String label(Site.Kind kind) {
        return switch (kind) {
            case OFFICE -> "Office";
            case BAKERY -> "Bakery";
            case COLD_STORE -> "Cold store";
            case SCHOOL -> "School";
        };
    }
}
