package org.stadtnetz.departures.http;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.Promise;
import io.vertx.core.json.JsonObject;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import io.vertx.ext.web.handler.BodyHandler;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.stadtnetz.departures.board.BoardService;
import org.stadtnetz.departures.board.UnknownStopException;
import org.stadtnetz.departures.disruption.DisruptionClient;
import org.stadtnetz.departures.timetable.Timetable;

public class BoardVerticle extends AbstractVerticle {

    private static final Logger LOG = LoggerFactory.getLogger(BoardVerticle.class);

    private static final int MOST_ROWS = 60;
    private static final int USUAL_ROWS = 20;

    private final Timetable timetable;
    private final int port;

    private BoardService boards;
    private DisruptionClient disruptions;

    public BoardVerticle(Timetable timetable, int port) {
        this.timetable = timetable;
        this.port = port;
    }

    @Override
    public void start(Promise<Void> started) {
        disruptions = new DisruptionClient(vertx);
        boards = new BoardService(timetable, disruptions);
        Router router = Router.router(vertx);
        router.get("/stops/:stop/departures").handler(this::departures);
        router.put("/lines/:line/disruption").handler(BodyHandler.create(false)).handler(this::report);
        router.get("/health").handler(context -> context.end("ok"));
        vertx.createHttpServer()
                .requestHandler(router)
                .listen(port)
                .<Void>mapEmpty()
                .onComplete(started);
    }

    private void departures(RoutingContext context) {
        int at = Clock24.parse(context.request().getParam("at"));
        int limit = limit(context.request().getParam("limit"));
        if (at < 0 || limit < 0) {
            context.response().setStatusCode(400).end();
            return;
        }
        boards.board(context.pathParam("stop"), at, limit)
                .map(BoardJson::of)
                .onSuccess(board -> context.response()
                        .putHeader("Content-Type", "application/json")
                        .end(board.toBuffer()))
                .onFailure(cause -> fail(context, cause));
    }

    private static int limit(String text) {
        if (text == null) {
            return USUAL_ROWS;
        }
        try {
            return Math.min(MOST_ROWS, Integer.parseInt(text));
        } catch (NumberFormatException e) {
            return -1;
        }
    }

    private void report(RoutingContext context) {
        JsonObject body = context.body().asJsonObject();
        if (body == null) {
            context.response().setStatusCode(400).end();
            return;
        }
        disruptions.report(body.put("line", context.pathParam("line")))
                .onSuccess(done -> context.response().setStatusCode(204).end())
                .onFailure(cause -> fail(context, cause));
    }

    private static void fail(RoutingContext context, Throwable cause) {
        if (cause instanceof UnknownStopException) {
            context.response().setStatusCode(404).end();
        } else {
            LOG.error("{} failed", context.request().uri(), cause);
            context.response().setStatusCode(500).end();
        }
    }
}
