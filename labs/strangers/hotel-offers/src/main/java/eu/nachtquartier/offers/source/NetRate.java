package eu.nachtquartier.offers.source;

/** What a supplier charges us for a stay. */
public record NetRate(String hotel, String board, int cents, boolean refundable) {
}
