package shop.orders;

/** What an item costs. */
public record Price(String item, int cents) {}
