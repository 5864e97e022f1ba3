package shop.reports;

import java.util.List;

/** A report as text. */
final class ReportText {
    private ReportText() {}

    static String of(List<String> buyers) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < 100; i++) {
            text.append(String.format("%4d %-20s%n", i, buyers.get(i)));
        }
        return text.append(buyers.size()).append(" buyers\n").toString();
    }
}
