package shop.payments;

import java.util.List;

/** The fees of a basket. */
final class FeePage {
    private FeePage() {}

    static String of(int basket, List<PaymentMethod> methods) {
        StringBuilder text = new StringBuilder();
        for (int instalments = 1; instalments <= 12; instalments++) {
            for (PaymentMethod method : methods) {
                int fee = method.fee(basket) + instalments;
                text.append(String.format("%8d %2d %-8s %6d%n", basket, instalments, method.name(), fee));
            }
        }
        return text.toString();
    }
}
