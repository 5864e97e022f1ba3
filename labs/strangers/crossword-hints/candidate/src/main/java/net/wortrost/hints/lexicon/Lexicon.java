package net.wortrost.hints.lexicon;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All words, by length. */
public final class Lexicon {

    public static final int SHORTEST = 3;
    public static final int LONGEST = 12;

    private final Map<Integer, List<Word>> byLength = new HashMap<>();
    private int size;

    void add(Word word) {
        byLength.computeIfAbsent(word.text().length(), length -> new ArrayList<>()).add(word);
        size++;
    }

    public List<Word> ofLength(int length) {
        return byLength.getOrDefault(length, List.of());
    }

    public int size() {
        return size;
    }
}
