package shop.invoices;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;

/** What was bought. */
final class Invoice {
    /** One article of it. */
    record Line(String article, int amount, BigDecimal price) {
        BigDecimal sum() {
            return price.multiply(BigDecimal.valueOf(amount));
        }
    }

    private final String number;
    private final List<Line> lines = new ArrayList<>();

    Invoice(String number) {
        this.number = number;
    }

    void add(String article, int amount, BigDecimal price) {
        lines.add(new Line(article, amount, price));
    }

    String number() {
        return number;
    }

    List<Line> lines() {
        return lines;
    }

    BigDecimal sum() {
        return lines.stream().map(Line::sum).reduce(BigDecimal.ZERO, BigDecimal::add);
    }
}
