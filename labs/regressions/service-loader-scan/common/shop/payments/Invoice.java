package shop.payments;

public final class Invoice implements PaymentMethod {
    @Override
    public String name() {
        return "invoice";
    }

    @Override
    public int fee(int cents) {
        return 290;
    }
}
