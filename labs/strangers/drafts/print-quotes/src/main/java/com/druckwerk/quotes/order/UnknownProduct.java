package com.druckwerk.quotes.order;

public final class UnknownProduct extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public UnknownProduct(String product) {
        super("no such product: " + product);
    }
}
