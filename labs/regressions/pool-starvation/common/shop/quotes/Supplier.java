package shop.quotes;

/** Far away: an answer takes a millisecond. */
record Supplier(String name, int percent) {
    int quote(int cents) {
        try {
            Thread.sleep(1);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return cents + cents * percent / 100;
    }
}
