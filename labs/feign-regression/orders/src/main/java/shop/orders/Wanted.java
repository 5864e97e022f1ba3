package shop.orders;

/** The body of a request for a price. */
public final class Wanted {
    public String item;
    public int quantity;

    public static Wanted one(String item) {
        Wanted wanted = new Wanted();
        wanted.item = item;
        wanted.quantity = 1;
        return wanted;
    }
}
