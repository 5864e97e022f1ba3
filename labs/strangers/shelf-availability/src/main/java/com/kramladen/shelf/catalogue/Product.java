package com.kramladen.shelf.catalogue;

public record Product(String sku, String title, String supplier, int packSize, boolean bulky) {
}
