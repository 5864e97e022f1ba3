package shop.stock;

import java.util.HashMap;
import java.util.Map;

/** What is on stock, as far as it is known. */
final class StockBook {
    private final Warehouse warehouse = new Warehouse();
    private final Map<Integer, Integer> amounts = new HashMap<>();

    synchronized void refresh(int article) {
        amounts.put(article, warehouse.count(article));
    }

    synchronized int amount(int article) {
        return amounts.getOrDefault(article, 0);
    }
}
