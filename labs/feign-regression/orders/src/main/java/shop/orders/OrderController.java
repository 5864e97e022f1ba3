package shop.orders;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** An order of ten items, unless said: as many calls to the service that knows the prices. */
@RestController
public class OrderController {
    private final Prices prices;
    private final List<String> items;

    OrderController(Prices prices, @Value("${items:10}") int items) {
        this.prices = prices;
        this.items = IntStream.rangeClosed(1, items).mapToObj(number -> "item-" + number).collect(Collectors.toList());
    }

    /** With calls that have no body. */
    @GetMapping("/orders")
    public List<Price> order() {
        return each(prices::of);
    }

    /** With calls that have one. The answer is the same. */
    @GetMapping("/orders/posted")
    public List<Price> posted() {
        return each(item -> prices.of(Wanted.one(item)));
    }

    private List<Price> each(Function<String, Price> asked) {
        return items.stream().map(asked).collect(Collectors.toList());
    }
}
