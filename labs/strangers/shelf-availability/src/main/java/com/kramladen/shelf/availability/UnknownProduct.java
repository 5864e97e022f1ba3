package com.kramladen.shelf.availability;

public class UnknownProduct extends RuntimeException {

    public UnknownProduct(String sku) {
        super("no product " + sku, null, false, false);
    }
}
