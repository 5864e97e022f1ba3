package shop.reports;

import java.util.LinkedHashSet;
import java.util.List;

/** Each once, in the order in which they came. */
final class Distinct {
    private Distinct() {}

    static List<String> of(List<String> all) {
        return List.copyOf(new LinkedHashSet<>(all));
    }
}
