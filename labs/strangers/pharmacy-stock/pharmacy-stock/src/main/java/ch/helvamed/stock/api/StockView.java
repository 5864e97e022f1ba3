package ch.helvamed.stock.api;

import java.util.List;

import io.micronaut.serde.annotation.Serdeable;

@Serdeable
public record StockView(String code, String name, String price, boolean prescription, List<OfferView> offers) {
}
