package shop.reports;

import java.util.ArrayList;
import java.util.List;

/** Each once, in the order in which they came. */
final class Distinct {
    private Distinct() {}

    static List<String> of(List<String> all) {
        List<String> once = new ArrayList<>();
        for (String one : all) {
            if (!once.contains(one)) {
                once.add(one);
            }
        }
        return once;
    }
}
