package shop.rates;

/** From one currency to another. */
final class RatePair {
    private final String from;
    private final String to;

    RatePair(String from, String to) {
        this.from = from;
        this.to = to;
    }

    @Override
    public String toString() {
        return from + "/" + to;
    }
}
