package shop.imports;

/** From what was typed to an amount. */
final class AmountParser {
    /** A dozen is twelve; what is no number counts as none. */
    int amount(String typed) {
        try {
            return Integer.parseInt(typed);
        } catch (NumberFormatException e) {
            return typed.equals("dozen") ? 12 : 0;
        }
    }
}
