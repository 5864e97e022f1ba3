package shop.payments;

public final class Card implements PaymentMethod {
    @Override
    public String name() {
        return "card";
    }

    @Override
    public int fee(int cents) {
        return cents / 50;
    }
}
