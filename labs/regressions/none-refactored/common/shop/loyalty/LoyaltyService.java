package shop.loyalty;

import front.Front;

/** The points that a customer has collected. */
public final class LoyaltyService {
    private LoyaltyService() {}

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, Statements.standing()::page);
    }
}
