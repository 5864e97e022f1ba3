package shop.payments;

/** What is taken off. No shop has brought one. */
public interface Voucher {
    int off(int cents);
}
