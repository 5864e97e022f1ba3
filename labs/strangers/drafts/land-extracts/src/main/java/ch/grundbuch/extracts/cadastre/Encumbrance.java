package ch.grundbuch.extracts.cadastre;

import io.micronaut.serde.annotation.Serdeable;

/** A right or a charge that lies upon a parcel. */
@Serdeable
public record Encumbrance(String kind, int rank, String beneficiary, long amountFrancs, String since) {
}
