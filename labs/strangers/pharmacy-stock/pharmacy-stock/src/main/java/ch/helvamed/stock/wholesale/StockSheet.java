package ch.helvamed.stock.wholesale;

import java.util.List;

public record StockSheet(String code, List<Shelf> shelves) {

    public record Shelf(String pharmacy, int packs, String lot, String expires) {
    }
}
