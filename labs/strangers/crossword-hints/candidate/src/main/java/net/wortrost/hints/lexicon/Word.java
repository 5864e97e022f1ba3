package net.wortrost.hints.lexicon;

/** A word, how often it occurs in newspapers, 0 to 99, and a bit for each letter in it. */
public record Word(String text, int frequency, int letterSet) {

    static Word of(String text, int frequency) {
        return new Word(text, frequency, letterSetOf(text));
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

    public boolean hasAll(int letters) {
        return (letterSet & letters) == letters;
    }

    public boolean hasAny(int letters) {
        return (letterSet & letters) != 0;
    }
}
