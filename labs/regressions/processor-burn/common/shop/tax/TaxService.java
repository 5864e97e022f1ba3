package shop.tax;

import front.Front;

/** The tax of a basket, line by line. */
public final class TaxService {
    private final TaxTable table = new TaxTable();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new TaxService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (int line = 1; line <= 150; line++) {
            text.append(String.format("%4d %8.2f %8.2f%n", line, line * 3.5, table.tax(line * 3.5)));
        }
        return text.append(table.seal()).append('\n').toString();
    }
}
