package shop.rates;

/** From one currency to another. */
record RatePair(String from, String to) {}
