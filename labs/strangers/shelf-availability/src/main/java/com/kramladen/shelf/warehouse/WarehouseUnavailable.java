package com.kramladen.shelf.warehouse;

public class WarehouseUnavailable extends RuntimeException {

    public WarehouseUnavailable(String detail) {
        super("warehouse " + detail);
    }
}
