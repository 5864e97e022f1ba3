package shop.loyalty;

import java.util.Map;

/** Which rule holds in which shop. */
final class PointRules {
    /** Points of a purchase. */
    interface Rule {
        int points(Purchase purchase);
    }

    private final Map<String, Rule> byShop = Map.of("Brno", purchase -> 2 * (purchase.cents() / 100));
    private final Rule otherwise = purchase -> purchase.cents() / 100;

    Rule of(Purchase purchase) {
        return byShop.getOrDefault(purchase.shop(), otherwise);
    }
}
