package it.musei.tickets.web;

import io.vertx.core.Future;
import io.vertx.core.VerticleBase;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import it.musei.tickets.museum.Museum;
import it.musei.tickets.museum.MuseumRegister;
import it.musei.tickets.offer.OfferCalculator;
import it.musei.tickets.offer.Party;
import it.musei.tickets.slots.OperatorAccess;
import it.musei.tickets.slots.SlotClient;
import java.time.DateTimeException;
import java.time.LocalDate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class TicketVerticle extends VerticleBase {

    private static final Logger LOG = LoggerFactory.getLogger(TicketVerticle.class);

    private final int port;
    private final int slotServicePort;
    private final MuseumRegister museums;
    private final OfferCalculator calculator = new OfferCalculator();
    private SlotClient slots;

    public TicketVerticle(int port, int slotServicePort, MuseumRegister museums) {
        this.port = port;
        this.slotServicePort = slotServicePort;
        this.museums = museums;
    }

    @Override
    public Future<?> start() {
        slots = new SlotClient(vertx, new OperatorAccess(slotServicePort));
        Router router = Router.router(vertx);
        router.get("/museums").handler(this::list);
        router.get("/museums/:id/tickets").handler(this::tickets);
        return vertx.createHttpServer().requestHandler(router).listen(port);
    }

    private void list(RoutingContext ctx) {
        JsonArray all = new JsonArray();
        for (Museum museum : museums.all()) {
            all.add(new JsonObject().put("id", museum.id()).put("name", museum.name()).put("city", museum.city()));
        }
        reply(ctx, 200, new JsonObject().put("museums", all));
    }

    private void tickets(RoutingContext ctx) {
        Museum museum = museums.find(ctx.pathParam("id"));
        if (museum == null) {
            problem(ctx, 404, "no such museum");
            return;
        }
        LocalDate date;
        Party party;
        try {
            date = LocalDate.parse(ctx.request().getParam("date", ""));
            party = new Party(number(ctx, "adults", 1), number(ctx, "children", 0));
        } catch (DateTimeException | IllegalArgumentException e) {
            problem(ctx, 400, e.getMessage());
            return;
        }
        if (!museum.opensOn(date.getDayOfWeek())) {
            problem(ctx, 409, museum.name() + " is closed that day");
            return;
        }
        slots.slots(museum, date)
                .map(found -> calculator.offer(museum, date, party, found))
                .onSuccess(offer -> reply(ctx, 200, offer))
                .onFailure(failure -> {
                    LOG.warn("No slots of {}: {}", museum.id(), failure.toString());
                    problem(ctx, 502, "slots are not known at the moment");
                });
    }

    private static int number(RoutingContext ctx, String name, int fallback) {
        String text = ctx.request().getParam(name);
        return text == null ? fallback : Integer.parseInt(text);
    }

    private static void problem(RoutingContext ctx, int status, String detail) {
        reply(ctx, status, new JsonObject().put("error", detail));
    }

    private static void reply(RoutingContext ctx, int status, JsonObject body) {
        ctx.response()
                .setStatusCode(status)
                .putHeader("Content-Type", "application/json")
                .end(body.toBuffer());
    }
}
