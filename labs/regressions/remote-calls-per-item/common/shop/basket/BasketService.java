package shop.basket;

import front.Front;
import front.Remote;
import java.util.List;
import java.util.stream.IntStream;

/** A basket with today's prices. */
public final class BasketService {
    private static final List<String> ITEMS = IntStream.range(0, 6).mapToObj(number -> "item-" + number).toList();
    private final PriceClient client;

    private BasketService(PriceClient client) {
        this.client = client;
    }

    public static void main(String[] arguments) {
        BasketService service = new BasketService(new PriceClient(Remote.start()));
        Front.serve(arguments, 4, service::page);
    }

    String page() {
        List<Integer> prices = client.prices(ITEMS);
        StringBuilder text = new StringBuilder();
        for (int amount = 1; amount <= 10; amount++) {
            for (int i = 0; i < ITEMS.size(); i++) {
                text.append(String.format("%4d %-10s %8d%n", amount, ITEMS.get(i), amount * prices.get(i)));
            }
        }
        return text.toString();
    }
}
