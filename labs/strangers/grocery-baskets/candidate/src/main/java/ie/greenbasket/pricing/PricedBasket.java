package ie.greenbasket.pricing;

import java.util.List;

public record PricedBasket(String basket, String store, List<PricedLine> lines, List<String> missing) {

    public int totalCents() {
        return lines.stream()
                .mapToInt(PricedLine::payableCents)
                .sum();
    }

    public boolean complete() {
        return missing.isEmpty();
    }

    public int vatCents() {
        return lines.stream()
                .mapToInt(line -> line.article().vat().partOf(line.grossCents() - line.discountCents()))
                .sum();
    }
}
