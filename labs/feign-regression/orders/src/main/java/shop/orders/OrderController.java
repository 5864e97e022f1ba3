package shop.orders;

import java.util.List;
import java.util.stream.IntStream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An order of ten items: ten calls to the service that knows the prices. */
@RestController
public class OrderController {
    private static final List<String> ITEMS =
            IntStream.rangeClosed(1, 10).mapToObj(number -> "item-" + number).toList();

    private final Prices prices;

    OrderController(Prices prices) {
        this.prices = prices;
    }

    @GetMapping("/orders")
    public List<Price> order() {
        return ITEMS.stream().map(prices::of).toList();
    }
}
