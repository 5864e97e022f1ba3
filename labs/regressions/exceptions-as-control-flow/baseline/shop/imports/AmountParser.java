package shop.imports;

/** From what was typed to an amount. */
final class AmountParser {
    /** A dozen is twelve; what is no number counts as none. */
    int amount(String typed) {
        if (isNumber(typed)) {
            return Integer.parseInt(typed);
        }
        return typed.equals("dozen") ? 12 : 0;
    }

    private static boolean isNumber(String typed) {
        for (int i = 0; i < typed.length(); i++) {
            if (typed.charAt(i) < '0' || typed.charAt(i) > '9') {
                return false;
            }
        }
        return !typed.isEmpty();
    }
}
