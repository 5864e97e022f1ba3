package ie.greenbasket.pricing;

import ie.greenbasket.assortment.Article;

public record PricedLine(Article article, int quantity, int grossCents, int depositCents, int discountCents) {

    public int payableCents() {
        return grossCents + depositCents - discountCents;
    }
}
