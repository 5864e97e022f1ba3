package net.wortrost.hints.http;

import net.wortrost.hints.lexicon.Lexicon;
import net.wortrost.hints.search.Hint;
import net.wortrost.hints.search.HintFinder;
import net.wortrost.hints.search.Query;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;

public class HintsHandler extends Handler.Abstract {

    private static final Logger LOG = LoggerFactory.getLogger(HintsHandler.class);

    private final Lexicon lexicon;
    private final HintFinder finder;

    public HintsHandler(Lexicon lexicon, HintFinder finder) {
        this.lexicon = lexicon;
        this.finder = finder;
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        if (path.equals("/hints")) {
            Fields parameters = Request.extractQueryParameters(request);
            try {
                String limit = parameters.getValue("limit");
                Query query = new Query(
                        parameters.getValue("pattern"),
                        parameters.getValue("without"),
                        limit == null ? 20 : Integer.parseInt(limit));
                List<Hint> hints = finder.find(query);
                LOG.debug("{} hints for {}", hints.size(), query.getPattern());
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
                Content.Sink.write(response, true, toJson(query, hints), callback);
            } catch (IllegalArgumentException e) {
                response.setStatus(400);
                response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
                Content.Sink.write(response, true, String.valueOf(e.getMessage()), callback);
            }
            return true;
        } else if (path.equals("/lexicon")) {
            StringBuilder json = new StringBuilder("{\"words\":");
            json.append(lexicon.size()).append(",\"lengths\":{");
            String separator = "";
            for (int length = 3; length <= 12; length++) {
                json.append(separator).append('"').append(length).append("\":").append(lexicon.ofLength(length).size());
                separator = ",";
            }
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
            Content.Sink.write(response, true, json.append("}}").toString(), callback);
            return true;
        } else if (path.equals("/health")) {
            response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/plain");
            Content.Sink.write(response, true, "UP", callback);
            return true;
        }
        return false;
    }

    private String toJson(Query query, List<Hint> hints) {
        StringBuilder json = new StringBuilder(1024);
        json.append("{\"pattern\":\"").append(query.getPattern()).append("\",\"hints\":[");
        String separator = "";
        for (Hint hint : hints) {
            json.append(separator).append("{\"word\":\"").append(hint.getWord());
            json.append("\",\"frequency\":").append(hint.getFrequency());
            json.append(",\"score\":").append(hint.getScore()).append('}');
            separator = ",";
        }
        return json.append("]}").toString();
    }
}
