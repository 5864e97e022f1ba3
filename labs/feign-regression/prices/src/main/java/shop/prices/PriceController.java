package shop.prices;

import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** The price of an item, made up of its name. */
@RestController
public class PriceController {
    /** What an item costs. */
    public record Price(String item, int cents) {}

    /** So many of an item. */
    public record Wanted(String item, int quantity) {}

    @GetMapping("/prices/{item}")
    public Price price(@PathVariable("item") String item) {
        return new Price(item, cents(item));
    }

    @PostMapping("/prices")
    public Price price(@RequestBody Wanted wanted) {
        return new Price(wanted.item(), wanted.quantity() * cents(wanted.item()));
    }

    private static int cents(String item) {
        return 100 + Math.floorMod(item.hashCode(), 9_900);
    }
}
