package com.assura.claims.admin;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.LoggerFactory;

import java.util.Map;
import java.util.function.BooleanSupplier;

final class AdminHandler extends Handler.Abstract {

    private static final String LOGGERS = "/loggers/";

    private final Counters counters;
    private final BooleanSupplier ready;

    AdminHandler(Counters counters, BooleanSupplier ready) {
        this.counters = counters;
        this.ready = ready;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (path.equals("/health")) {
            response.setStatus(ready.getAsBoolean() ? 200 : 503);
            answer(response, callback, ready.getAsBoolean() ? "UP" : "STARTING");
        } else if (path.equals("/counters")) {
            answer(response, callback, counterLines());
        } else if (path.startsWith(LOGGERS)) {
            logger(request, response, callback, path.substring(LOGGERS.length()));
        } else {
            return false;
        }
        return true;
    }

    private void logger(Request request, Response response, Callback callback, String name) {
        Logger logger = (Logger) LoggerFactory.getLogger(name);
        if (request.getMethod().equals("PUT")) {
            String level = Request.extractQueryParameters(request).getValue("level");
            logger.setLevel(level == null || level.isEmpty() ? null : Level.toLevel(level, Level.INFO));
        }
        answer(response, callback, name + " " + logger.getEffectiveLevel());
    }

    private String counterLines() {
        StringBuilder out = new StringBuilder();
        for (Map.Entry<String, Long> counter : counters.snapshot().entrySet()) {
            out.append(counter.getKey()).append(' ').append(counter.getValue()).append('\n');
        }
        return out.toString();
    }

    private static void answer(Response response, Callback callback, String text) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain;charset=utf-8");
        Content.Sink.write(response, true, text, callback);
    }
}
