package fi.kirjasto.holds.catalogue;

import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;

/** The holds of all card holders, as the nightly export of the lending system gives them. */
@ApplicationScoped
public class HoldShelf {

    private static final String[] BRANCHES = {"KAL", "OOD", "TOO", "ITA"};

    private final Map<String, List<Hold>> byCard = new HashMap<>();

    public HoldShelf(@ConfigProperty(name = "holds.today") LocalDate today) {
        Random random = new Random(42);
        for (int card = 0; card < 1500; card++) {
            String number = "H" + (70000 + card);
            List<Hold> holds = new ArrayList<>();
            int count = 3 + random.nextInt(9);
            for (int i = 0; i < count; i++) {
                holds.add(new Hold(number + "-" + i, number, Catalogue.isbn(random.nextInt(4000)),
                        BRANCHES[random.nextInt(BRANCHES.length)], today.minusDays(random.nextInt(90)),
                        1 + random.nextInt(30)));
            }
            byCard.put(number, List.copyOf(holds));
        }
    }

    public List<Hold> ofCard(String card) {
        List<Hold> holds = byCard.get(card);
        if (holds == null) {
            throw new UnknownCardException(card);
        }
        return holds;
    }
}
