package shop.invoices;

import front.Front;
import java.math.BigDecimal;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** The last invoices of a customer, as text. */
public final class InvoiceService {
    private static final int INVOICES = 12;

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new InvoiceService()::page);
    }

    String page() {
        return IntStream.range(0, INVOICES)
                .mapToObj(number -> new InvoiceWriter().write(invoice(number)))
                .collect(Collectors.joining("\n"));
    }

    private static Invoice invoice(int number) {
        Invoice invoice = new Invoice("R-" + (2026_000 + number));
        for (int i = 1; i <= 4; i++) {
            invoice.add("article " + i, i, new BigDecimal(number + i * 7).movePointLeft(1));
        }
        return invoice;
    }
}
