package shop.reports;

import front.Front;
import java.util.ArrayList;
import java.util.List;

/** Who has bought this year, each once. */
public final class ReportService {
    private static final List<String> BUYERS = buyers();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new ReportService()::page);
    }

    String page() {
        return ReportText.of(Distinct.of(BUYERS));
    }

    private static List<String> buyers() {
        List<String> buyers = new ArrayList<>();
        for (int i = 0; i < 1_200; i++) {
            buyers.add("buyer number " + (i * 7919 % 600));
        }
        return List.copyOf(buyers);
    }
}
