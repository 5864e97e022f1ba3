package net.wortrost.hints.lexicon;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

/** Builds a lexicon of words that sound plausible; the licensed one is kept elsewhere. */
public class LexiconBuilder {

    private static final int WORDS = 30000;
    private static final String[] ONSETS = {
            "B", "BR", "D", "F", "FL", "G", "GR", "H", "K", "KL", "L", "M", "N", "P", "R", "S", "SCH", "ST", "T", "TR", "W", "Z"
    };
    private static final String[] NUCLEI = {"A", "E", "I", "O", "U", "AU", "EI", "IE"};
    private static final String[] CODAS = {"", "", "", "L", "N", "R", "S", "T", "ND", "RT"};
    private static final String[] ENDINGS = {"", "E", "EN", "ER", "UNG", "HEIT", "LICH"};

    public Lexicon build() {
        Lexicon lexicon = new Lexicon();
        Random random = new Random(1913);
        Set<String> known = new HashSet<String>();
        while (known.size() < WORDS) {
            String text = word(random);
            if (text.length() >= 3 && text.length() <= 12 && known.add(text)) {
                lexicon.add(new Word(text, random.nextInt(100)));
            }
        }
        return lexicon;
    }

    private static String word(Random random) {
        StringBuilder word = new StringBuilder();
        int syllables = 1 + random.nextInt(2);
        for (int i = 0; i < syllables; i++) {
            word.append(ONSETS[random.nextInt(ONSETS.length)]);
            word.append(NUCLEI[random.nextInt(NUCLEI.length)]);
            word.append(CODAS[random.nextInt(CODAS.length)]);
        }
        return word.append(ENDINGS[random.nextInt(ENDINGS.length)]).toString();
    }
}
