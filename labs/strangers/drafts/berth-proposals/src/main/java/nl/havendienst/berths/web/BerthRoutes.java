package nl.havendienst.berths.web;

import io.helidon.http.HeaderNames;
import io.helidon.http.Status;
import io.helidon.webserver.http.HttpRules;
import io.helidon.webserver.http.HttpService;
import io.helidon.webserver.http.ServerRequest;
import io.helidon.webserver.http.ServerResponse;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.LocalDateTime;
import java.util.Map;
import nl.havendienst.berths.plan.BerthPlan;
import nl.havendienst.berths.plan.Proposal;
import nl.havendienst.berths.plan.ProposalService;
import nl.havendienst.berths.plan.ShipCall;
import nl.havendienst.berths.plan.Stay;

public final class BerthRoutes implements HttpService {

    private final ProposalService proposals;
    private final BerthPlan plan;
    private final Json json;

    public BerthRoutes(ProposalService proposals, BerthPlan plan, Json json) {
        this.proposals = proposals;
        this.plan = plan;
        this.json = json;
    }

    @Override
    public void routing(HttpRules rules) {
        rules.get("/proposals", this::propose)
                .get("/{berth}/stays", this::stays)
                .post("/{berth}/stays", this::enter);
    }

    private void propose(ServerRequest request, ServerResponse response) {
        ShipCall call;
        try {
            call = new ShipCall(
                    request.query().get("ship"),
                    Double.parseDouble(request.query().get("length")),
                    Double.parseDouble(request.query().get("draught")),
                    LocalDateTime.parse(request.query().get("arrival")),
                    Duration.ofHours(Long.parseLong(request.query().first("hours").orElse("12"))));
        } catch (NumberFormatException | DateTimeException e) {
            send(response, Status.BAD_REQUEST_400, Map.of("error", String.valueOf(e.getMessage())));
            return;
        }
        Proposal proposal = proposals.propose(call);
        if (proposal == null) {
            send(response, Status.NOT_FOUND_404, Map.of("error", "no berth for " + call.ship()));
        } else {
            send(response, Status.OK_200, proposal);
        }
    }

    private void stays(ServerRequest request, ServerResponse response) {
        send(response, Status.OK_200, plan.staysAt(request.path().pathParameters().get("berth")));
    }

    private void enter(ServerRequest request, ServerResponse response) {
        Stay stay = json.read(request.content().as(byte[].class), Stay.class);
        boolean entered = plan.enter(stay);
        send(response, entered ? Status.CREATED_201 : Status.CONFLICT_409, stay);
    }

    private void send(ServerResponse response, Status status, Object body) {
        response.status(status)
                .header(HeaderNames.CONTENT_TYPE, "application/json")
                .send(json.write(body));
    }
}
