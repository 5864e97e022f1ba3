package shop.loyalty;

/** A customer's statement. */
final class Statements {
    private Statements() {}

    static Statements standing() {
        return new Statements();
    }

    String page() {
        StringBuilder text = new StringBuilder();
        int sum = 0;
        for (Purchase purchase : Purchase.LAST) {
            int points = points(purchase);
            sum += points;
            text.append(String.format("%4d %-10s %8d%n", purchase.number(), purchase.shop(), points));
        }
        return text.append(sum).append('\n').toString();
    }

    private int points(Purchase purchase) {
        int points = purchase.cents() / 100;
        if (purchase.shop().equals("Brno")) {
            points *= 2;
        }
        return points;
    }
}
