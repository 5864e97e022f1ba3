package shop.orders;

/** What was ordered by whom. */
record Order(int number, String customer, int cents) {}
