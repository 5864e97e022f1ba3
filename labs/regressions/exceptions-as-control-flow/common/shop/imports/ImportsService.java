package shop.imports;

import front.Front;

/** Reads a supplier's delivery note and says what it adds up to. */
public final class ImportsService {
    private final AmountParser parser = new AmountParser();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new ImportsService()::summary);
    }

    String summary() {
        StringBuilder text = new StringBuilder();
        long total = 0;
        for (DeliveryNote.Line line : DeliveryNote.lines()) {
            int amount = parser.amount(line.amount());
            total += amount;
            text.append(String.format("%-12s %6d %-10s%n", line.article(), amount, line.unit()));
        }
        return text.append("total ").append(total).append('\n').toString();
    }
}
