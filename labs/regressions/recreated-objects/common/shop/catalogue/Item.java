package shop.catalogue;

/** What is sold. */
public record Item(String name, int cents, boolean onStock) {}
