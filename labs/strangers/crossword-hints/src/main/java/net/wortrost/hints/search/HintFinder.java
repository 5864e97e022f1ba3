package net.wortrost.hints.search;

import net.wortrost.hints.lexicon.Lexicon;
import net.wortrost.hints.lexicon.Word;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;

/** Finds words that fit a pattern; those with helpful crossing letters come first. */
public class HintFinder {

    private static final String HELPFUL = "ENIRSTAL";

    private final Lexicon lexicon;

    public HintFinder(Lexicon lexicon) {
        this.lexicon = lexicon;
    }

    public List<Hint> find(Query query) {
        int excluded = Word.letterSetOf(query.getWithout());
        int required = Word.letterSetOf(query.getPattern());
        List<Hint> hints = new ArrayList<Hint>();
        for (Word word : lexicon.ofLength(query.getPattern().length())) {
            if ((word.getLetterSet() & excluded) != 0) {
                continue;
            }
            if ((word.getLetterSet() & required) != required) {
                continue;
            }
            if (!fits(query.getPattern(), word.getText())) {
                continue;
            }
            hints.add(new Hint(word.getText(), word.getFrequency(), score(query.getPattern(), word)));
        }
        Collections.sort(hints, new Comparator<Hint>() {
            @Override
            public int compare(Hint a, Hint b) {
                if (a.getScore() != b.getScore()) {
                    return Integer.compare(b.getScore(), a.getScore());
                }
                return a.getWord().compareTo(b.getWord());
            }
        });
        if (hints.size() > query.getLimit()) {
            return new ArrayList<Hint>(hints.subList(0, query.getLimit()));
        }
        return hints;
    }

    private boolean fits(String pattern, String word) {
        for (int i = 0; i < pattern.length(); i++) {
            char c = pattern.charAt(i);
            if (c != '.' && c != word.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    private int score(String pattern, Word word) {
        int score = word.getFrequency();
        for (int i = 0; i < pattern.length(); i++) {
            if (pattern.charAt(i) == '.' && HELPFUL.indexOf(word.getText().charAt(i)) >= 0) {
                score += 7;
            }
        }
        return score;
    }
}
