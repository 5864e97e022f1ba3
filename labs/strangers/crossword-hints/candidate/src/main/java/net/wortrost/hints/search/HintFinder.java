package net.wortrost.hints.search;

import net.wortrost.hints.lexicon.Lexicon;
import net.wortrost.hints.lexicon.Word;

import java.util.ArrayList;
import java.util.List;

/** Finds words that fit a pattern; those with helpful crossing letters come first. */
public final class HintFinder {

    private static final String HELPFUL = "ENIRSTAL";
    private static final int HELPFUL_POINTS = 7;

    private final Lexicon lexicon;

    public HintFinder(Lexicon lexicon) {
        this.lexicon = lexicon;
    }

    public List<Hint> find(Query query) {
        String pattern = query.pattern();
        int excluded = Word.letterSetOf(query.without());
        int required = Word.letterSetOf(pattern);
        List<Hint> hints = new ArrayList<>();
        for (Word word : lexicon.ofLength(pattern.length())) {
            if (!word.hasAny(excluded) && word.hasAll(required) && fits(pattern, word.text())) {
                hints.add(new Hint(word.text(), word.frequency(), score(pattern, word)));
            }
        }
        hints.sort(Hint.BEST_FIRST);
        return hints.size() <= query.limit() ? hints : List.copyOf(hints.subList(0, query.limit()));
    }

    private static boolean fits(String pattern, String word) {
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != Query.ANY && c != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private static int score(String pattern, Word word) {
        int score = word.frequency();
        for (int i = 0; i < pattern.length(); i++) {
            if (pattern.charAt(i) == Query.ANY && HELPFUL.indexOf(word.text().charAt(i)) >= 0) {
                score += HELPFUL_POINTS;
            }
        }
        return score;
    }
}
