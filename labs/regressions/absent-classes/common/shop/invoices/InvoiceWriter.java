package shop.invoices;

/** From an invoice to text. */
final class InvoiceWriter {
    private final boolean money;

    InvoiceWriter() {
        money = MoneyModules.installed();
    }

    String write(Invoice invoice) {
        if (money) {
            throw new IllegalStateException("amounts of the money library cannot be written yet");
        }
        StringBuilder text = new StringBuilder(invoice.number()).append('\n');
        for (Invoice.Line line : invoice.lines()) {
            text.append(String.format("%4d %-20s %10s%n", line.amount(), line.article(), line.sum()));
        }
        return text.append(invoice.sum()).append('\n').toString();
    }
}
