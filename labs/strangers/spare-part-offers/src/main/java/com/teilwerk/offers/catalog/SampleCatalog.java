package com.teilwerk.offers.catalog;

import com.teilwerk.offers.demand.DemandRepository;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Random;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;

@Component
public class SampleCatalog implements SmartInitializingSingleton {

    private static final String[] NAMES = {
            "V-belt", "Hydraulic filter", "Knotter hook", "Plough share", "PTO shaft", "Bearing", "Tine",
            "Fuel pump", "Seal kit", "Chain link", "Mower blade"};
    private static final String[] MAKERS = {"Krone", "Claas", "Fendt", "Lemken", "Amazone"};

    private final PartRepository parts;
    private final DemandRepository demand;

    public SampleCatalog(PartRepository parts, DemandRepository demand) {
        this.parts = parts;
        this.demand = demand;
    }

    @Override
    public void afterSingletonsInstantiated() {
        Random random = new Random(1907);
        for (int i = 1; i <= 400; i++) {
            String partNo = String.format(Locale.ROOT, "TW-%04d", i);
            parts.add(new Part(partNo,
                    NAMES[random.nextInt(NAMES.length)],
                    MAKERS[random.nextInt(MAKERS.length)],
                    BigDecimal.valueOf(250 + random.nextInt(60_000), 2),
                    50 + random.nextInt(20_000),
                    (char) ('A' + random.nextInt(4))));
            demand.open(partNo);
        }
    }
}
