package com.kramladen.shelf.delivery;

import java.time.LocalDate;

/** What the shop may promise to its customer. */
public record Promise(Kind kind, LocalDate earliest, int quantity) {

    public enum Kind {
        IN_STOCK, FEW_LEFT, ON_ITS_WAY, SOLD_OUT
    }
}
