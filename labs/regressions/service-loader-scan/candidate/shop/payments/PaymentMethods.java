package shop.payments;

import java.util.List;
import java.util.ServiceLoader;

/** What shops have brought. */
final class PaymentMethods {
    private PaymentMethods() {}

    static List<PaymentMethod> methods() {
        return load(PaymentMethod.class);
    }

    static List<Voucher> vouchers() {
        return load(Voucher.class);
    }

    private static <T> List<T> load(Class<T> type) {
        return ServiceLoader.load(type, type.getClassLoader()).stream().map(ServiceLoader.Provider::get).toList();
    }
}
