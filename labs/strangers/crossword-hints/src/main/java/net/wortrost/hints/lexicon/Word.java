package net.wortrost.hints.lexicon;

/** A word with how often it occurs in newspapers, 0 to 99. */
public class Word {

    private final String text;
    private final int frequency;
    private final int letterSet;

    public Word(String text, int frequency) {
        this.text = text;
        this.frequency = frequency;
        this.letterSet = letterSetOf(text);
    }

    public String getText() {
        return text;
    }

    public int getFrequency() {
        return frequency;
    }

    public int getLetterSet() {
        return letterSet;
    }

    /** One bit for each letter that occurs. */
    public static int letterSetOf(String text) {
        int set = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 'A' && c <= 'Z') {
                set |= 1 << (c - 'A');
            }
        }
        return set;
    }
}
