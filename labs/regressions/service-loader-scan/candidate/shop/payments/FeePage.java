package shop.payments;

import java.util.List;
import java.util.function.BiFunction;

/** The fees of a basket, by a table that knows how a row looks. */
final class FeePage {
    private FeePage() {}

    static String of(int basket, List<PaymentMethod> methods) {
        return new FeeTable((method, instalments) -> row(basket, method, instalments)).of(methods);
    }

    private static String row(int basket, PaymentMethod method, int instalments) {
        int fee = method.fee(basket) + instalments;
        return String.format("%8d %2d %-8s %6d%n", basket, instalments, method.name(), fee);
    }

    private record FeeTable(BiFunction<PaymentMethod, Integer, String> row) {
        String of(List<PaymentMethod> methods) {
            StringBuilder text = new StringBuilder();
            for (int instalments = 1; instalments <= 12; instalments++) {
                int number = instalments;
                methods.forEach(method -> text.append(row.apply(method, number)));
            }
            return text.toString();
        }
    }
}
