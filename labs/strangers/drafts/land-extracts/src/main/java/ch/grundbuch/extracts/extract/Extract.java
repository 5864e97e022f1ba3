package ch.grundbuch.extracts.extract;

import ch.grundbuch.extracts.cadastre.Encumbrance;
import io.micronaut.serde.annotation.Serdeable;
import java.util.List;

@Serdeable
public record Extract(
        String parcel,
        String commune,
        String zone,
        int squareMetres,
        List<Share> covers,
        List<Encumbrance> mortgages,
        List<String> easements,
        long mortgagedFrancs,
        int feeFrancs) {

    @Serdeable
    public record Share(String cover, int squareMetres, double percent) {
    }
}
