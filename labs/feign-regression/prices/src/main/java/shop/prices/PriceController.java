package shop.prices;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** The price of an item, made up of its name. */
@RestController
public class PriceController {
    /** What an item costs. */
    public record Price(String item, int cents) {}

    @GetMapping("/prices/{item}")
    public Price price(@PathVariable("item") String item) {
        return new Price(item, 100 + Math.floorMod(item.hashCode(), 9_900));
    }
}
