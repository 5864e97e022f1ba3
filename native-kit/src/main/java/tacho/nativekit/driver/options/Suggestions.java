package tacho.nativekit.driver.options;

import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** The known names nearest to one that is not known. */
public final class Suggestions {

    private static final int MOST = 3;

    private Suggestions() {
    }

    public static List<String> nearest(String name, Stream<String> known) {
        int furthest = Math.max(2, name.length() / 3);
        return known.distinct().filter(candidate -> distance(name, candidate) <= furthest)
                .sorted(Comparator.<String>comparingInt(candidate -> distance(name, candidate))
                        .thenComparing(Comparator.naturalOrder()))
                .limit(MOST).toList();
    }

    /** " Did you mean A or B?", or nothing. */
    public static String sentence(List<String> nearest) {
        return nearest.isEmpty() ? "" : " Did you mean " + String.join(" or ", nearest) + "?";
    }

    /** How many characters must be put in, left out or changed (Levenshtein). */
    static int distance(String from, String to) {
        int[] row = new int[to.length() + 1];
        for (int j = 0; j <= to.length(); j++) {
            row[j] = j;
        }
        for (int i = 1; i <= from.length(); i++) {
            int diagonal = row[0];
            row[0] = i;
            for (int j = 1; j <= to.length(); j++) {
                int changed = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                diagonal = row[j];
                row[j] = Math.min(changed, Math.min(row[j], row[j - 1]) + 1);
            }
        }
        return row[to.length()];
    }
}
