package com.druckwerk.quotes.pricing;

import com.druckwerk.quotes.order.PrintJob.Finishing;
import com.druckwerk.quotes.order.UnknownProduct;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The price list that is valid for resellers. */
public final class PriceBook {

    private final Map<String, Product> products = new LinkedHashMap<>();

    private PriceBook() {
    }

    public static PriceBook load() {
        PriceBook book = new PriceBook();
        book.add("flyer", "Flyer A5", 2, 135, Finishing.NONE, "18.50", "0.0920");
        book.add("folded-flyer", "Folded flyer DL", 6, 135, Finishing.FOLDED, "24.00", "0.0840");
        book.add("poster", "Poster A2", 1, 150, Finishing.NONE, "29.00", "0.4100");
        book.add("brochure", "Brochure A4", 24, 115, Finishing.STAPLED, "46.00", "0.0610");
        book.add("catalogue", "Catalogue A4", 96, 90, Finishing.BOUND, "88.00", "0.0490");
        book.add("letterhead", "Letterhead A4", 1, 80, Finishing.NONE, "15.00", "0.0550");
        return book;
    }

    private void add(String id, String title, int pages, int grammage, Finishing finishing, String setup, String sheet) {
        BigDecimal base = new BigDecimal(sheet);
        List<Product.Step> steps = List.of(
                new Product.Step(0, base),
                new Product.Step(1_000, base.multiply(new BigDecimal("0.82"))),
                new Product.Step(5_000, base.multiply(new BigDecimal("0.67"))),
                new Product.Step(25_000, base.multiply(new BigDecimal("0.55"))),
                new Product.Step(100_000, base.multiply(new BigDecimal("0.48"))));
        products.put(id, new Product(id, title, pages, grammage, finishing, new BigDecimal(setup), steps));
    }

    public Product product(String id) {
        Product product = products.get(id);
        if (product == null) {
            throw new UnknownProduct(id);
        }
        return product;
    }

    public Collection<Product> products() {
        return products.values();
    }
}
