package nl.havendienst.berths.plan;

import java.time.LocalDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** The berths of the harbour and what is planned for them this season. */
public final class HarbourLayout {

    private static final String[] QUAYS = {"Noorderkade", "Zuiderkade", "Visserskade", "Petroleumhaven", "Steenkade"};
    private static final LocalDateTime SEASON = LocalDateTime.of(2026, 3, 1, 6, 0);

    private HarbourLayout() {
    }

    public static List<Berth> berths() {
        Random random = new Random(5);
        List<Berth> berths = new ArrayList<>();
        for (String quay : QUAYS) {
            boolean tidal = !quay.equals("Petroleumhaven");
            for (int number = 1; number <= 8; number++) {
                double length = 80 + random.nextInt(14) * 10;
                double depth = 5.5 + random.nextInt(12) * 0.5;
                berths.add(new Berth(quay.substring(0, 1) + number, quay, length, depth, tidal, random.nextBoolean()));
            }
        }
        return berths;
    }

    public static List<Stay> plannedStays() {
        Random random = new Random(9);
        List<Stay> stays = new ArrayList<>();
        for (Berth berth : berths()) {
            LocalDateTime at = SEASON.plusHours(random.nextInt(48));
            for (int i = 0; i < 120; i++) {
                LocalDateTime until = at.plusHours(6 + random.nextInt(30));
                stays.add(new Stay(berth.id(), "MS " + berth.quay().charAt(0) + "-" + (1000 + i), at, until));
                at = until.plusHours(2 + random.nextInt(24));
            }
        }
        return stays;
    }
}
