package net.wortrost.hints.http;

import net.wortrost.hints.search.Hint;
import net.wortrost.hints.search.HintFinder;
import net.wortrost.hints.search.Query;
import org.eclipse.jetty.util.Fields;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;

/** GET /hints?pattern=S..REN&without=AO&limit=10 */
public final class HintsResource implements Resource {

    private static final Logger LOG = LoggerFactory.getLogger(HintsResource.class);
    private static final int DEFAULT_LIMIT = 20;

    private final HintFinder finder;

    public HintsResource(HintFinder finder) {
        this.finder = finder;
    }

    @Override
    public Reply get(Fields fields) {
        String limit = fields.getValue("limit");
        Query query = new Query(fields.getValue("pattern"), fields.getValue("without"),
                limit == null ? DEFAULT_LIMIT : Integer.parseInt(limit));
        List<Hint> hints = finder.find(query);
        LOG.debug("{} hints for {}", hints.size(), query.pattern());
        return new Reply.Json(render(query, hints));
    }

    private static String render(Query query, List<Hint> hints) {
        StringBuilder json = new StringBuilder(1024);
        json.append("{\"pattern\":\"").append(query.pattern()).append("\",\"hints\":[");
        String separator = "";
        for (Hint hint : hints) {
            json.append(separator).append("{\"word\":\"").append(hint.word());
            json.append("\",\"frequency\":").append(hint.frequency());
            json.append(",\"score\":").append(hint.score()).append('}');
            separator = ",";
        }
        return json.append("]}").toString();
    }
}
