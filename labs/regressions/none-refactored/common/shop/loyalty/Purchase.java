package shop.loyalty;

import java.util.List;
import java.util.stream.IntStream;

/** One purchase of a customer. */
record Purchase(int number, String shop, int cents) {
    static final List<Purchase> LAST = IntStream.range(0, 200)
            .mapToObj(number -> new Purchase(number, number % 2 == 0 ? "Prague" : "Brno", 137 * number + 99)).toList();
}
