package org.stadtnetz.departures.http;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonArray;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.stadtnetz.departures.board.Board;
import org.stadtnetz.departures.board.BoardRow;
import org.stadtnetz.departures.board.BoardService;
import org.stadtnetz.departures.board.UnknownStopException;
import org.stadtnetz.departures.disruption.DisruptionClient;
import org.stadtnetz.departures.timetable.Timetable;

public class BoardVerticle extends AbstractVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(BoardVerticle.class);

    private static final int MOST_ROWS = 60;

    private final Timetable timetable;
    private final int port;

    private BoardService boards;
    private DisruptionClient disruptions;

    public BoardVerticle(Timetable timetable, int port) {
        this.timetable = timetable;
        this.port = port;
    }

    @Override
    public void start(Promise<Void> startPromise) {
        disruptions = new DisruptionClient(vertx);
        boards = new BoardService(timetable, disruptions);
        Router router = Router.router(vertx);
        router.get("/stops/:stop/departures").handler(this::departures);
        router.put("/lines/:line/disruption").handler(BodyHandler.create(false)).handler(this::report);
        router.get("/health").handler(context -> context.end("ok"));
        vertx.createHttpServer().requestHandler(router).listen(port, result -> {
            if (result.failed()) {
                startPromise.fail(result.cause());
            } else {
                startPromise.complete();
            }
        });
    }

    private void departures(RoutingContext context) {
        int at = Clock24.parse(context.request().getParam("at"));
        if (at < 0) {
            context.response().setStatusCode(400).end();
            return;
        }
        int limit = 20;
        String limitText = context.request().getParam("limit");
        if (limitText != null) {
            try {
                limit = Math.min(MOST_ROWS, Integer.parseInt(limitText));
            } catch (NumberFormatException e) {
                context.response().setStatusCode(400).end();
                return;
            }
        }
        boards.board(context.pathParam("stop"), at, limit, result -> {
            if (result.failed()) {
                fail(context, result.cause());
                return;
            }
            Board board = result.result();
            JsonArray rows = new JsonArray();
            for (BoardRow row : board.getRows()) {
                JsonObject json = new JsonObject();
                json.put("line", row.getLine());
                json.put("destination", row.getDestination());
                json.put("planned", Clock24.text(row.getPlanned()));
                json.put("expected", Clock24.text(row.getExpected()));
                json.put("track", row.getTrack());
                if (row.getNote() != null) {
                    json.put("note", row.getNote());
                }
                rows.add(json);
            }
            JsonObject answer = new JsonObject();
            answer.put("stop", board.getStop());
            answer.put("departures", rows);
            context.response().putHeader("Content-Type", "application/json").end(answer.toBuffer());
        });
    }

    private void report(RoutingContext context) {
        JsonObject body = context.body().asJsonObject();
        if (body == null) {
            context.response().setStatusCode(400).end();
            return;
        }
        disruptions.report(body.put("line", context.pathParam("line")), result -> {
            if (result.failed()) {
                fail(context, result.cause());
            } else {
                context.response().setStatusCode(204).end();
            }
        });
    }

    private void fail(RoutingContext context, Throwable cause) {
        if (cause instanceof UnknownStopException) {
            context.response().setStatusCode(404).end();
        } else {
            LOG.error("{} failed", context.request().uri(), cause);
            context.response().setStatusCode(500).end();
        }
    }
}
