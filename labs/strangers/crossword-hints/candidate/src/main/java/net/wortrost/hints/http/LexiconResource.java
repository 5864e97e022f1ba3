package net.wortrost.hints.http;

import net.wortrost.hints.lexicon.Lexicon;
import org.eclipse.jetty.util.Fields;

/** GET /lexicon */
public final class LexiconResource implements Resource {

    private final Lexicon lexicon;

    public LexiconResource(Lexicon lexicon) {
        this.lexicon = lexicon;
    }

    @Override
    public Reply get(Fields fields) {
        StringBuilder json = new StringBuilder("{\"words\":");
        json.append(lexicon.size()).append(",\"lengths\":{");
        String separator = "";
        for (int length = Lexicon.SHORTEST; length <= Lexicon.LONGEST; length++) {
            json.append(separator).append('"').append(length).append("\":").append(lexicon.ofLength(length).size());
            separator = ",";
        }
        return new Reply.Json(json.append("}}").toString());
    }
}
