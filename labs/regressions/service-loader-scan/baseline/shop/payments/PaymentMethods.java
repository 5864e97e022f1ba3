package shop.payments;

import java.util.List;
import java.util.ServiceLoader;

/** What shops have brought. */
final class PaymentMethods {
    private static final List<PaymentMethod> METHODS = load(PaymentMethod.class);
    private static final List<Voucher> VOUCHERS = load(Voucher.class);

    private PaymentMethods() {}

    static List<PaymentMethod> methods() {
        return METHODS;
    }

    static List<Voucher> vouchers() {
        return VOUCHERS;
    }

    private static <T> List<T> load(Class<T> type) {
        return ServiceLoader.load(type, type.getClassLoader()).stream().map(ServiceLoader.Provider::get).toList();
    }
}
