package net.wortrost.hints.lexicon;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** All words, by length. */
public class Lexicon {

    private final Map<Integer, List<Word>> byLength = new HashMap<Integer, List<Word>>();
    private int size;

    void add(Word word) {
        Integer length = word.getText().length();
        List<Word> words = byLength.get(length);
        if (words == null) {
            words = new ArrayList<Word>();
            byLength.put(length, words);
        }
        words.add(word);
        size++;
    }

    public List<Word> ofLength(int length) {
        List<Word> words = byLength.get(length);
        if (words == null) {
            return Collections.emptyList();
        }
        return words;
    }

    public int size() {
        return size;
    }
}
