package ch.grundbuch.extracts.cadastre;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

/** A parcel of land as the cadastre describes it. */
@Serdeable
public record Parcel(String number, String commune, int squareMetres, String zone, List<Cover> covers) {

    @Serdeable
    public record Cover(String kind, int squareMetres) {
    }
}
