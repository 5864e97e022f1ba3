package shop.fraud;

import front.Front;

/** Which orders somebody should look at. */
public final class FraudService {
    private final FraudCheck check = new FraudCheck();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new FraudService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        check.settle();
        for (int order = 0; order < 20; order++) {
            text.append(String.format("%4d %6d%n", order, check.score(order)));
        }
        return text.toString();
    }
}
