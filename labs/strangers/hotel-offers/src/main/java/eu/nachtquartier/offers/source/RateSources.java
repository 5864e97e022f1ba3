package eu.nachtquartier.offers.source;

import eu.nachtquartier.offers.source.ContractedSource.SheetRow;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** The suppliers that there are contracts with. */
public final class RateSources {

    private static final List<String> SUPPLIERS = List.of("bettenbank", "hotelwerk", "stayline", "quartett", "roomstock",
            "nachtzug", "urbanbeds", "kurort", "gasthofring", "medtours", "altstadt", "seeblick");
    private static final List<String> CITIES = List.of("graz", "wien", "linz", "bozen", "hamburg", "kiel", "bremen");
    private static final List<String> BOARDS = List.of("RO", "BB", "HB");

    private RateSources() {
    }

    public static List<RateSource> contracted() {
        List<RateSource> sources = new ArrayList<>();
        for (String supplier : SUPPLIERS) {
            sources.add(new ContractedSource(supplier, sheet(supplier)));
        }
        return List.copyOf(sources);
    }

    private static Map<String, List<SheetRow>> sheet(String supplier) {
        SplittableRandom random = new SplittableRandom(supplier.hashCode());
        Map<String, List<SheetRow>> sheet = new HashMap<>();
        for (int c = 0; c < CITIES.size(); c++) {
            List<SheetRow> rows = new ArrayList<>();
            for (int i = 0; i < 14; i++) {
                int hotel = 1 + c * 200 + random.nextInt(60);
                rows.add(new SheetRow("H%04d".formatted(hotel), BOARDS.get(random.nextInt(BOARDS.size())),
                        2 + random.nextInt(3), 4_900 + hotel % 37 * 190 + random.nextInt(1_500),
                        105 + random.nextInt(30), random.nextInt(2_500), random.nextInt(3) > 0));
            }
            sheet.put(CITIES.get(c), List.copyOf(rows));
        }
        return sheet;
    }
}
