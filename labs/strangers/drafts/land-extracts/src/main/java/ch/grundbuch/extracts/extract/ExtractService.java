package ch.grundbuch.extracts.extract;

import ch.grundbuch.extracts.cadastre.CadastreClient;
import ch.grundbuch.extracts.cadastre.Encumbrance;
import ch.grundbuch.extracts.cadastre.EncumbranceList;
import ch.grundbuch.extracts.cadastre.Parcel;
import jakarta.inject.Singleton;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Draws extracts of the land register. */
@Singleton
public class ExtractService {

    private final CadastreClient cadastre;
    private final FeeTable fees;

    public ExtractService(CadastreClient cadastre, FeeTable fees) {
        this.cadastre = cadastre;
        this.fees = fees;
    }

    public Optional<Extract> draw(String number, boolean certified) {
        Parcel parcel = cadastre.parcel(number);
        if (parcel == null) {
            return Optional.empty();
        }
        EncumbranceList encumbrances = cadastre.encumbrances(number);
        List<Encumbrance> mortgages = encumbrances.entries().stream()
                .filter(entry -> entry.kind().equals("mortgage"))
                .sorted(Comparator.comparingInt(Encumbrance::rank))
                .toList();
        List<String> easements = encumbrances.entries().stream()
                .filter(entry -> !entry.kind().equals("mortgage"))
                .map(entry -> entry.kind() + " for " + entry.beneficiary() + " since " + entry.since())
                .toList();
        long mortgaged = mortgages.stream().mapToLong(Encumbrance::amountFrancs).sum();
        return Optional.of(new Extract(parcel.number(), parcel.commune(), parcel.zone(), parcel.squareMetres(),
                shares(parcel), mortgages, easements, mortgaged,
                fees.fee(encumbrances.entries().size(), certified)));
    }

    private static List<Extract.Share> shares(Parcel parcel) {
        return parcel.covers().stream()
                .map(cover -> new Extract.Share(cover.kind(), cover.squareMetres(),
                        Math.round(cover.squareMetres() * 1000.0 / parcel.squareMetres()) / 10.0))
                .toList();
    }
}
