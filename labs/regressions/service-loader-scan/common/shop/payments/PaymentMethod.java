package shop.payments;

/** A way to pay. Shops bring their own, by META-INF/services. */
public interface PaymentMethod {
    String name();

    int fee(int cents);
}
