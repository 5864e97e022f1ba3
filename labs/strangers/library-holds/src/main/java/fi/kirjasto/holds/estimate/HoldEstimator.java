package fi.kirjasto.holds.estimate;

import java.time.LocalDate;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import fi.kirjasto.holds.catalogue.Branch;
import fi.kirjasto.holds.catalogue.Edition;
import fi.kirjasto.holds.catalogue.Hold;
import fi.kirjasto.holds.catalogue.MediaKind;

/** Estimates from the queue before a hold when it can be picked up. */
@ApplicationScoped
public class HoldEstimator {

    private final LocalDate today;

    public HoldEstimator(@ConfigProperty(name = "holds.today") LocalDate today) {
        this.today = today;
    }

    public Estimate estimate(Hold hold, Edition edition, Branch branch) {
        int lendable = edition.lendable();
        if (lendable == 0) {
            LocalDate late = branch.firstOpenDay(today.plusDays(120));
            return new Estimate(late, Estimate.Confidence.GUESS);
        }
        int rounds = (hold.position() + lendable - 1) / lendable;
        int days;
        if (edition.kind() == MediaKind.BOOK) {
            days = rounds * edition.kind().loanDays() * 3 / 4;
        } else if (edition.kind() == MediaKind.MAGAZINE) {
            days = rounds * edition.kind().loanDays() / 2;
        } else if (edition.kind() == MediaKind.GAME) {
            days = rounds * edition.kind().loanDays();
        } else {
            days = rounds * edition.kind().loanDays() * 2 / 3 + 1;
        }
        LocalDate pickUp = branch.firstOpenDay(today.plusDays(days + 2));
        Estimate.Confidence confidence;
        if (rounds <= 1) {
            confidence = Estimate.Confidence.LIKELY;
        } else if (rounds <= 4) {
            confidence = Estimate.Confidence.ROUGH;
        } else {
            confidence = Estimate.Confidence.GUESS;
        }
        return new Estimate(pickUp, confidence);
    }
}
