package fi.kirjasto.holds.web;

import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.time.LocalDate;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.apache.commons.lang3.StringUtils;
import org.eclipse.microprofile.config.inject.ConfigProperty;

import fi.kirjasto.holds.catalogue.Branch;
import fi.kirjasto.holds.catalogue.Catalogue;
import fi.kirjasto.holds.catalogue.Edition;
import fi.kirjasto.holds.catalogue.Hold;
import fi.kirjasto.holds.catalogue.HoldShelf;
import fi.kirjasto.holds.catalogue.UnknownCardException;
import fi.kirjasto.holds.estimate.Estimate;
import fi.kirjasto.holds.estimate.HoldEstimator;
import fi.kirjasto.holds.remote.InterLibraryClient;
import fi.kirjasto.holds.remote.RemoteHold;

@Path("/holds")
@Produces(MediaType.APPLICATION_JSON)
public class HoldsResource {

    private final HoldShelf shelf;
    private final Catalogue catalogue;
    private final HoldEstimator estimator;
    private final InterLibraryClient interLibrary;
    private final LocalDate today;

    public HoldsResource(HoldShelf shelf, Catalogue catalogue, HoldEstimator estimator,
            InterLibraryClient interLibrary, @ConfigProperty(name = "holds.today") LocalDate today) {
        this.shelf = shelf;
        this.catalogue = catalogue;
        this.estimator = estimator;
        this.interLibrary = interLibrary;
        this.today = today;
    }

    @GET
    @Path("/{card}")
    public HoldsView holds(@PathParam("card") String card) {
        String number = StringUtils.upperCase(StringUtils.trimToEmpty(card));
        if (!StringUtils.startsWith(number, "H")) {
            throw new UnknownCardException(card);
        }
        List<HoldsView.HoldView> views = new ArrayList<>();
        int ready = 0;
        for (Hold hold : shelf.ofCard(number)) {
            Edition edition = catalogue.edition(hold.isbn()).orElse(null);
            Branch branch = catalogue.branch(hold.branch()).orElse(null);
            if (edition == null || branch == null) {
                continue;
            }
            Estimate estimate = estimator.estimate(hold, edition, branch);
            if (ChronoUnit.DAYS.between(today, estimate.pickUp()) <= 7) {
                ready++;
            }
            views.add(new HoldsView.HoldView(hold.id(), edition.title(), edition.author(), branch.name(),
                    hold.position(), edition.kind().loanDays(), estimate.pickUp().toString(),
                    estimate.confidence().name()));
        }
        views.sort(Comparator.comparing(HoldsView.HoldView::pickUp).thenComparing(HoldsView.HoldView::id));
        List<HoldsView.RemoteHoldView> remote = new ArrayList<>();
        for (RemoteHold each : interLibrary.ofCard(number)) {
            remote.add(new HoldsView.RemoteHoldView(each.reference(), each.library(), each.title(),
                    each.due().toString(), "SHIPPED".equals(each.state())));
        }
        return new HoldsView(number, ready, views, remote);
    }
}
