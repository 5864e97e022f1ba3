package shop.stock;

import front.Front;

/** What is on stock, after asking the warehouse. */
public final class StockService {
    private final StockBook book = new StockBook();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new StockService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        book.refresh(7);
        for (int article = 0; article < 20; article++) {
            text.append(String.format("%4d %6d%n", article, book.amount(article)));
        }
        return text.toString();
    }
}
