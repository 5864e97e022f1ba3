package shop.rates;

/** The rates of the last years, made up. */
final class RateHistory {
    private static final int DAYS = 1_000;

    private RateHistory() {}

    static double volatility(String from, String to) {
        double rate = 10 + Math.floorMod(to.hashCode() - from.hashCode(), 30);
        double sum = 0;
        for (int day = 1; day <= DAYS; day++) {
            double next = rate * (1 + ((day * 7919) % 101 - 50) / 10_000.0);
            sum += Math.abs(next - rate);
            rate = next;
        }
        return sum / DAYS;
    }
}
