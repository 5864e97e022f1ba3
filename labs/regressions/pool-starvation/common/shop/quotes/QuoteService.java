package shop.quotes;

import front.Front;
import java.util.List;

/** What two suppliers ask for an article. */
public final class QuoteService {
    private final QuoteDesk desk = new QuoteDesk(List.of(new Supplier("north", 3), new Supplier("south", 5)));

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new QuoteService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        List<Integer> quotes = desk.quotes(1_000);
        for (int amount = 1; amount <= 40; amount++) {
            text.append(String.format("%4d %8d %8d%n", amount, amount * quotes.get(0), amount * quotes.get(1)));
        }
        return text.toString();
    }
}
