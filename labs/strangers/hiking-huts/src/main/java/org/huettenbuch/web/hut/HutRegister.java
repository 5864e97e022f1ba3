package org.huettenbuch.web.hut;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.springframework.stereotype.Repository;

/** The huts of the alpine club's register; this edition of it is invented. */
@Repository
public class HutRegister {

    private static final String[] FIRST = {"Falken", "Gams", "Adler", "Edelweiss", "Ferner", "Almrausch", "Stein"};
    private static final String[] LAST = {"hütte", "haus", "hospiz", "biwak"};
    private static final String[] GUARDIANS = {"M. Auer", "J. Pichler", "S. Hofer", "A. Tscholl", "K. Gruber"};

    private final Map<String, Hut> huts = new LinkedHashMap<>();
    private final Map<Region, List<Hut>> byRegion = new EnumMap<>(Region.class);

    public HutRegister() {
        Random random = new Random(2962);
        for (Region region : Region.values()) {
            List<Hut> inRegion = new ArrayList<>();
            for (int i = 1; i <= region.huts(); i++) {
                Hut hut = hut(random, region, i);
                huts.put(hut.id(), hut);
                inRegion.add(hut);
            }
            byRegion.put(region, List.copyOf(inRegion));
        }
    }

    public List<Hut> in(Region region) {
        return byRegion.get(region);
    }

    public Optional<Hut> find(String id) {
        return Optional.ofNullable(huts.get(id));
    }

    private static Hut hut(Random random, Region region, int i) {
        String name = FIRST[random.nextInt(FIRST.length)] + LAST[random.nextInt(LAST.length)];
        return new Hut(
                region.name().toLowerCase(Locale.ROOT) + "-" + i,
                name,
                region,
                1_500 + random.nextInt(1_600),
                18 + random.nextInt(120),
                GUARDIANS[random.nextInt(GUARDIANS.length)],
                "+43 5" + (100_000 + random.nextInt(900_000)));
    }
}
