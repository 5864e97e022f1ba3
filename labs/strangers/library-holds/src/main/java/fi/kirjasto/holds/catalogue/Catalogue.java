package fi.kirjasto.holds.catalogue;

import java.time.DayOfWeek;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import jakarta.enterprise.context.ApplicationScoped;

@ApplicationScoped
public class Catalogue {

    private static final List<String> FIRST = List.of("Talvi", "Meren", "Hiljainen", "Punainen", "Viimeinen", "Kuun");
    private static final List<String> SECOND = List.of("talo", "laulu", "matka", "vartija", "kesä", "kirja", "polku");
    private static final List<String> AUTHORS = List.of("A. Niemi", "K. Laine", "S. Virtanen", "J. Salo", "M. Koski");

    private final Map<String, Edition> editions = new HashMap<>();
    private final Map<String, Branch> branches = new HashMap<>();

    public Catalogue() {
        Random random = new Random(1958);
        for (int i = 0; i < 4000; i++) {
            String isbn = isbn(i);
            String title = FIRST.get(random.nextInt(FIRST.size())) + " " + SECOND.get(random.nextInt(SECOND.size()));
            MediaKind kind = MediaKind.values()[random.nextInt(MediaKind.values().length)];
            editions.put(isbn, new Edition(isbn, title, AUTHORS.get(random.nextInt(AUTHORS.size())), kind,
                    1 + random.nextInt(9), random.nextInt(2)));
        }
        branch(new Branch("KAL", "Kallio", Set.of(DayOfWeek.SUNDAY)));
        branch(new Branch("OOD", "Oodi", Set.of()));
        branch(new Branch("TOO", "Töölö", Set.of(DayOfWeek.SATURDAY, DayOfWeek.SUNDAY)));
        branch(new Branch("ITA", "Itäkeskus", Set.of(DayOfWeek.SUNDAY, DayOfWeek.MONDAY)));
    }

    private void branch(Branch branch) {
        branches.put(branch.code(), branch);
    }

    static String isbn(int number) {
        String digits = Integer.toString(100000 + number);
        return "978-952-" + digits.substring(0, 2) + "-" + digits.substring(2);
    }

    public Optional<Edition> edition(String isbn) {
        return Optional.ofNullable(editions.get(isbn));
    }

    public Optional<Branch> branch(String code) {
        return Optional.ofNullable(branches.get(code));
    }
}
