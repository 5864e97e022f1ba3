package shop.search;

/** How much is found at most. */
final class Limits {
    private Limits() {}

    static int most() {
        try {
            return Integer.parseInt("two hundred");
        } catch (NumberFormatException e) {
            return 200;
        }
    }
}
