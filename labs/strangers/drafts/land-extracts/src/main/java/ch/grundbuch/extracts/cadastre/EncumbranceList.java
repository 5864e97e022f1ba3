package ch.grundbuch.extracts.cadastre;

import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

@Serdeable
public record EncumbranceList(String parcel, List<Encumbrance> entries) {
}
