package fi.kirjasto.holds.web;

import java.time.LocalDate;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import fi.kirjasto.holds.catalogue.Branch;
import fi.kirjasto.holds.catalogue.Catalogue;
import fi.kirjasto.holds.catalogue.Edition;
import fi.kirjasto.holds.catalogue.Hold;
import fi.kirjasto.holds.estimate.Estimate;
import fi.kirjasto.holds.estimate.HoldEstimator;
import fi.kirjasto.holds.remote.RemoteHold;

/** Puts together what a card holder sees. */
@ApplicationScoped
public class HoldsAssembler {

    private static final int SOON_DAYS = 7;

    private static final Comparator<HoldsView.HoldView> ORDER =
            Comparator.comparing(HoldsView.HoldView::pickUp).thenComparing(HoldsView.HoldView::id);

    private final Catalogue catalogue;
    private final HoldEstimator estimator;
    private final LocalDate today;

    public HoldsAssembler(Catalogue catalogue, HoldEstimator estimator,
            @ConfigProperty(name = "holds.today") LocalDate today) {
        this.catalogue = catalogue;
        this.estimator = estimator;
        this.today = today;
    }

    HoldsView assemble(String card, List<Hold> holds, List<RemoteHold> remoteHolds) {
        List<HoldsView.HoldView> views = new ArrayList<>(holds.size());
        int ready = 0;
        for (Hold hold : holds) {
            Edition edition = catalogue.edition(hold.isbn()).orElse(null);
            Branch branch = catalogue.branch(hold.branch()).orElse(null);
            if (edition == null || branch == null) {
                continue;
            }
            Estimate estimate = estimator.estimate(hold, edition, branch);
            if (soon(estimate)) {
                ready++;
            }
            views.add(view(hold, edition, branch, estimate));
        }
        views.sort(ORDER);
        return new HoldsView(card, ready, views, remoteHolds.stream().map(HoldsAssembler::view).toList());
    }

    private boolean soon(Estimate estimate) {
        return ChronoUnit.DAYS.between(today, estimate.pickUp()) <= SOON_DAYS;
    }

    private static HoldsView.HoldView view(Hold hold, Edition edition, Branch branch, Estimate estimate) {
        return new HoldsView.HoldView(hold.id(), edition.title(), edition.author(), branch.name(), hold.position(),
                edition.kind().loanDays(), estimate.pickUp().toString(), estimate.confidence().name());
    }

    private static HoldsView.RemoteHoldView view(RemoteHold remote) {
        return new HoldsView.RemoteHoldView(remote.reference(), remote.library(), remote.title(),
                remote.due().toString(), "SHIPPED".equals(remote.state()));
    }
}
