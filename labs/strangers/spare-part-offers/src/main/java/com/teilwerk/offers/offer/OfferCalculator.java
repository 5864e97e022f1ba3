package com.teilwerk.offers.offer;

import com.teilwerk.offers.catalog.Part;
import com.teilwerk.offers.supplier.SupplierQuote;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.springframework.stereotype.Component;

@Component
public class OfferCalculator {

    private static final BigDecimal HUNDRED = new BigDecimal(100);
    private static final int HEAVY_GRAMS = 10_000;
    private static final BigDecimal HEAVY_FREIGHT = new BigDecimal("14.50");

    private final DealerDiscounts discounts;

    public OfferCalculator(DealerDiscounts discounts) {
        this.discounts = discounts;
    }

    public Offer calculate(Part part, SupplierQuote quote, int quantity) {
        BigDecimal percent = discounts.percent(part.discountGroup(), quantity);
        BigDecimal unitPrice = round(part.listPrice().multiply(HUNDRED.subtract(percent)).divide(HUNDRED));
        BigDecimal goods = unitPrice.multiply(BigDecimal.valueOf(quantity));
        BigDecimal surcharge = round(goods.multiply(quote.materialSurcharge()));
        BigDecimal freight = freight(part, quote, quantity);
        return new Offer(
                part.partNo(),
                part.name(),
                part.maker(),
                quantity,
                unitPrice,
                percent,
                surcharge,
                freight,
                goods.add(surcharge).add(freight),
                quote.covers(quantity),
                quote.covers(quantity) ? 1 : quote.leadTimeDays());
    }

    private static BigDecimal freight(Part part, SupplierQuote quote, int quantity) {
        long grams = (long) part.weightGrams() * quantity;
        BigDecimal freight = quote.freight();
        return grams > HEAVY_GRAMS ? freight.add(HEAVY_FREIGHT) : freight;
    }

    private static BigDecimal round(BigDecimal amount) {
        return amount.setScale(2, RoundingMode.HALF_UP);
    }
}
