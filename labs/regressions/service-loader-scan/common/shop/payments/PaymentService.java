package shop.payments;

import front.Front;
import java.util.List;

/** What paying costs, for each basket of a customer. */
public final class PaymentService {
    private static final List<Integer> BASKETS = List.of(1_990, 12_500, 45_000, 99_900);

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new PaymentService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (int basket : BASKETS) {
            text.append(FeePage.of(basket, PaymentMethods.methods()));
            text.append(PaymentMethods.vouchers().size()).append(" vouchers\n");
        }
        return text.toString();
    }
}
