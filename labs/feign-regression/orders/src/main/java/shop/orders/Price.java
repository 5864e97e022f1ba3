package shop.orders;

/** What an item costs. Fields, so that Jackson and FastJson read it alike, on any JDK from 8 on. */
public final class Price {
    public String item;
    public int cents;
}
