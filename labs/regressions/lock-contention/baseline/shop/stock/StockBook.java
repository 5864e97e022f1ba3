package shop.stock;

import java.util.HashMap;
import java.util.Map;

/** What is on stock, as far as it is known. */
final class StockBook {
    private final Warehouse warehouse = new Warehouse();
    private final Map<Integer, Integer> amounts = new HashMap<>();

    void refresh(int article) {
        int counted = warehouse.count(article);
        synchronized (this) {
            amounts.put(article, counted);
        }
    }

    synchronized int amount(int article) {
        return amounts.getOrDefault(article, 0);
    }
}
