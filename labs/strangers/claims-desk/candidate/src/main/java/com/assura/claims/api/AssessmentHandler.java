package com.assura.claims.api;

import com.assura.claims.admin.Counters;
import com.assura.claims.claim.Claim;
import com.assura.claims.claim.ClaimRepository;
import com.assura.claims.rules.Assessment;
import com.assura.claims.rules.RuleEngine;
import com.assura.claims.trace.ConversationLog;
import com.assura.claims.trace.CorrelationIds;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.slf4j.Logger;

import java.util.Optional;

/** GET /claims/{number}/assessment */
final class AssessmentHandler extends Handler.Abstract {

    private static final String PREFIX = "/claims/";
    private static final String SUFFIX = "/assessment";

    private final ClaimRepository claims;
    private final RuleEngine engine;
    private final CorrelationIds ids;
    private final Counters counters;

    AssessmentHandler(ClaimRepository claims, RuleEngine engine, CorrelationIds ids, Counters counters) {
        this.claims = claims;
        this.engine = engine;
        this.ids = ids;
        this.counters = counters;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        String path = Request.getPathInContext(request);
        if (!path.startsWith(PREFIX) || !path.endsWith(SUFFIX) || path.length() <= PREFIX.length() + SUFFIX.length()) {
            return false;
        }
        String number = path.substring(PREFIX.length(), path.length() - SUFFIX.length());
        String correlationId = ids.of(request);
        response.getHeaders().put(CorrelationIds.HEADER, correlationId);
        Logger log = ConversationLog.of(correlationId);
        log.debug("Assessment of {} asked for", number);
        Optional<Claim> claim = claims.find(number);
        if (claim.isEmpty()) {
            counters.count("assessments.unknown");
            response.setStatus(404);
            answer(response, callback, "text/plain", "No claim " + number);
            return true;
        }
        Assessment assessment = engine.assess(claim.get(), log);
        counters.count("assessments." + assessment.route());
        answer(response, callback, "application/json", AssessmentJson.render(assessment));
        return true;
    }

    private static void answer(Response response, Callback callback, String type, String body) {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, type);
        Content.Sink.write(response, true, body, callback);
    }
}
