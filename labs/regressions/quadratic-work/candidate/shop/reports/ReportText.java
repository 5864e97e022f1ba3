package shop.reports;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** A report as text: a head, rows, a foot. */
final class ReportText {
    private final List<String> buyers;

    private ReportText(List<String> buyers) {
        this.buyers = buyers;
    }

    static String of(List<String> buyers) {
        ReportText report = new ReportText(buyers);
        return report.head() + report.rows() + report.foot();
    }

    private String head() {
        return "";
    }

    private String rows() {
        return IntStream.range(0, 100).mapToObj(this::row).collect(Collectors.joining());
    }

    private String row(int number) {
        return String.format("%4d %-20s%n", number, buyers.get(number));
    }

    private String foot() {
        return buyers.size() + " buyers\n";
    }
}
