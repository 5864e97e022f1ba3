package com.druckwerk.quotes.pricing;

import com.druckwerk.quotes.order.PrintJob;
import com.druckwerk.quotes.order.Quote;
import com.druckwerk.quotes.order.Quote.Position;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Works out what a job costs, position by position. */
public final class QuoteCalculator {

    private static final BigDecimal VAT = new BigDecimal("0.19");
    private static final BigDecimal COLOUR_FACTOR = new BigDecimal("1.75");
    private static final BigDecimal WEIGHT_RATE = new BigDecimal("0.42");

    private final PriceBook prices;
    private final PaperStock paper;

    public QuoteCalculator(PriceBook prices, PaperStock paper) {
        this.prices = prices;
        this.paper = paper;
    }

    public PrintJob job(String productId, int copies, Integer pages, Integer grammage, boolean colour) {
        Product product = prices.product(productId);
        return new PrintJob(product.id(), copies,
                pages == null ? product.defaultPages() : pages,
                paper.inStock(grammage == null ? product.defaultGrammage() : grammage),
                colour, product.defaultFinishing());
    }

    public Quote quote(String reseller, PrintJob job) {
        Product product = prices.product(job.product());
        int sheets = job.sheets();
        List<Position> positions = new ArrayList<>();
        positions.add(position("setup", "Data check and plates", product.setup()));
        positions.add(position("paper", sheets + " sheets of " + job.grammage() + " g",
                paper.cost(job.grammage(), sheets)));
        BigDecimal printing = product.perSheet(sheets).multiply(BigDecimal.valueOf(sheets));
        positions.add(position("printing", job.colour() ? "4/4 colours" : "1/1 black",
                job.colour() ? printing.multiply(COLOUR_FACTOR) : printing));
        if (job.finishing() != PrintJob.Finishing.NONE) {
            positions.add(position("finishing", job.finishing().name().toLowerCase(Locale.ROOT),
                    finishing(job)));
        }
        positions.add(position("shipping", "Parcel or pallet, insured", shipping(job, sheets)));
        BigDecimal net = positions.stream().map(Position::amount).reduce(BigDecimal.ZERO, BigDecimal::add);
        BigDecimal vat = net.multiply(VAT).setScale(2, RoundingMode.HALF_UP);
        return new Quote(reseller, product.title(), job.copies(), positions, net, vat, net.add(vat), days(job, sheets));
    }

    private static BigDecimal finishing(PrintJob job) {
        String rate = switch (job.finishing()) {
            case FOLDED -> "0.012";
            case STAPLED -> "0.034";
            case BOUND -> "0.310";
            case NONE -> "0";
        };
        return new BigDecimal(rate).multiply(BigDecimal.valueOf(job.copies())).add(new BigDecimal("12.00"));
    }

    private static BigDecimal shipping(PrintJob job, int sheets) {
        BigDecimal kilos = BigDecimal.valueOf((long) sheets * job.grammage()).multiply(new BigDecimal("0.0000624"));
        return kilos.multiply(WEIGHT_RATE).max(new BigDecimal("6.90"));
    }

    private static int days(PrintJob job, int sheets) {
        int days = 3 + sheets / 40_000;
        return job.finishing() == PrintJob.Finishing.BOUND ? days + 2 : days;
    }

    private static Position position(String step, String text, BigDecimal amount) {
        return new Position(step, text, amount.setScale(2, RoundingMode.HALF_UP));
    }
}
