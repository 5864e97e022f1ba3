package shop.loyalty;

import java.util.function.ToIntFunction;

/** A customer's statement, by whatever rules. */
final class Statement {
    private final PointRules rules;

    Statement(PointRules rules) {
        this.rules = rules;
    }

    String page() {
        return render(purchase -> rules.of(purchase).points(purchase));
    }

    private static String render(ToIntFunction<Purchase> points) {
        StringBuilder text = new StringBuilder();
        int sum = 0;
        for (Purchase purchase : Purchase.LAST) {
            int earned = points.applyAsInt(purchase);
            sum += earned;
            text.append(line(purchase, earned));
        }
        return text.append(sum).append('\n').toString();
    }

    private static String line(Purchase purchase, int earned) {
        return String.format("%4d %-10s %8d%n", purchase.number(), purchase.shop(), earned);
    }
}
