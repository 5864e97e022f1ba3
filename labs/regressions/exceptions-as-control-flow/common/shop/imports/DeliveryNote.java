package shop.imports;

import java.util.ArrayList;
import java.util.List;

/** A delivery note as it was typed: in two of three lines the amount is no number. */
final class DeliveryNote {
    /** One line of it. */
    record Line(String article, String amount, String unit) {}

    private static final String[] WORDS = {"dozen", "n/a"};
    private static final List<Line> LINES = type(120);

    private DeliveryNote() {}

    static List<Line> lines() {
        return LINES;
    }

    private static List<Line> type(int count) {
        List<Line> lines = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String amount = i % 3 == 0 ? Integer.toString(i + 1) : WORDS[i % 2];
            lines.add(new Line("article-" + i, amount, "pieces"));
        }
        return List.copyOf(lines);
    }
}
