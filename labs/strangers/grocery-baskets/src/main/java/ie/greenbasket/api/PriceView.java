package ie.greenbasket.api;

import java.util.List;

import ie.greenbasket.pricing.PricedBasket;
import ie.greenbasket.pricing.PricedLine;

public record PriceView(String basket, String store, List<LineView> lines, List<String> missing, int vatCents,
        int totalCents) {

    public record LineView(String ean, String name, int quantity, int grossCents, int discountCents,
            int payableCents) {

        static LineView of(PricedLine line) {
            return new LineView(line.article().ean(), line.article().name(), line.quantity(), line.grossCents(),
                    line.discountCents(), line.payableCents());
        }
    }

    static PriceView of(PricedBasket priced) {
        return new PriceView(priced.basket(), priced.store(), priced.lines().stream().map(LineView::of).toList(),
                priced.missing(), priced.vatCents(), priced.totalCents());
    }
}
