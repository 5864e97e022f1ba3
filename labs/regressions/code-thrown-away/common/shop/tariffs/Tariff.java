package shop.tariffs;

/** What a parcel costs. */
final class Tariff {
    private Tariff() {}

    /** The prices of all weights up to 200 pounds. */
    static int sum(int zone) {
        int cents = 0;
        for (int pounds = 1; pounds <= 200; pounds++) {
            cents += price(zone, pounds);
        }
        return cents;
    }

    private static int price(int zone, int pounds) {
        int cents = 480 + zone * 7 + pounds * (30 + zone % 5);
        if (Flags.hasFuelCharge()) {
            cents += cents / 16;
        }
        return Flags.isRounded() ? (cents + 4) / 5 * 5 : cents;
    }
}
