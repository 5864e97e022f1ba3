package org.vogelwarte.sightings.model;

import java.util.Locale;

public enum Species {

    BARN_SWALLOW("Hirundo rustica", true),
    BLACKCAP("Sylvia atricapilla", true),
    COMMON_CRANE("Grus grus", true),
    COMMON_SWIFT("Apus apus", true),
    EURASIAN_JAY("Garrulus glandarius", false),
    GREAT_TIT("Parus major", false),
    GREY_HERON("Ardea cinerea", false),
    KINGFISHER("Alcedo atthis", false),
    NORTHERN_LAPWING("Vanellus vanellus", true),
    RED_KITE("Milvus milvus", true),
    ROBIN("Erithacus rubecula", false),
    WHITE_STORK("Ciconia ciconia", true);

    private final String scientificName;
    private final boolean migrant;

    Species(String scientificName, boolean migrant) {
        this.scientificName = scientificName;
        this.migrant = migrant;
    }

    public String scientificName() {
        return scientificName;
    }

    public boolean migrant() {
        return migrant;
    }

    public String key() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public static Species ofKey(String key) {
        for (Species species : values()) {
            if (species.key().equals(key)) {
                return species;
            }
        }
        throw new IllegalArgumentException("Unknown species: " + key);
    }
}
