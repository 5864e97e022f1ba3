package net.wortrost.hints.search;

import java.util.Comparator;

public record Hint(String word, int frequency, int score) {

    static final Comparator<Hint> BEST_FIRST = (a, b) ->
            a.score != b.score ? Integer.compare(b.score, a.score) : a.word.compareTo(b.word);
}
