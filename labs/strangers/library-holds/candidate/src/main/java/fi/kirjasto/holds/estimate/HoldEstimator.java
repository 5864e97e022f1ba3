package fi.kirjasto.holds.estimate;

import java.time.LocalDate;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import fi.kirjasto.holds.catalogue.Branch;
import fi.kirjasto.holds.catalogue.Edition;
import fi.kirjasto.holds.catalogue.Hold;
import fi.kirjasto.holds.catalogue.MediaKind;

/** Estimates from the queue before a hold when it can be picked up. */
@ApplicationScoped
public class HoldEstimator {

    private static final int SHELVING_DAYS = 2;
    private static final int LOST_COPY_DAYS = 120;

    private final LocalDate today;
    private final Map<MediaKind, QueuePace> paces = QueuePace.standard();

    public HoldEstimator(@ConfigProperty(name = "holds.today") LocalDate today) {
        this.today = today;
    }

    public Estimate estimate(Hold hold, Edition edition, Branch branch) {
        int lendable = edition.lendable();
        if (lendable == 0) {
            return new Estimate(branch.firstOpenDay(today.plusDays(LOST_COPY_DAYS)), Estimate.Confidence.GUESS);
        }
        int rounds = (hold.position() + lendable - 1) / lendable;
        int days = paces.get(edition.kind()).days(rounds, edition.kind().loanDays());
        return new Estimate(branch.firstOpenDay(today.plusDays(days + SHELVING_DAYS)), confidence(rounds));
    }

    private static Estimate.Confidence confidence(int rounds) {
        if (rounds <= 1) {
            return Estimate.Confidence.LIKELY;
        }
        return rounds <= 4 ? Estimate.Confidence.ROUGH : Estimate.Confidence.GUESS;
    }
}
