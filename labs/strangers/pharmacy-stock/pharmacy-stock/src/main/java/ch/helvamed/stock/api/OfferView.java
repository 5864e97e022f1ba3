package ch.helvamed.stock.api;

import io.micronaut.serde.annotation.Serdeable;

@Serdeable
public record OfferView(String pharmacy, String town, int metres, int packs, String expires) {
}
