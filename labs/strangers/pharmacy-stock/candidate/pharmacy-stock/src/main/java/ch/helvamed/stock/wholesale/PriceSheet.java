package ch.helvamed.stock.wholesale;

public record PriceSheet(String code, String name, int rappen, boolean prescription, int deductiblePercent,
        String list) {
}
