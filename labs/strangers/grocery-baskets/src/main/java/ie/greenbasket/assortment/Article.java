package ie.greenbasket.assortment;

public record Article(String ean, String name, String unit, int cents, VatClass vat, int depositCents) {
}
