package eu.nachtquartier.offers.offer;

/** What the tenant shows to its customers. */
public record Offer(String hotel, String board, String supplier, int price, boolean refundable) {

    Offer cheaper(Offer other) {
        return other.price < price || other.price == price && other.supplier.compareTo(supplier) < 0 ? other : this;
    }
}
