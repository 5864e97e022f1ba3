package net.wortrost.hints.search;

public class Hint {

    private final String word;
    private final int frequency;
    private final int score;

    public Hint(String word, int frequency, int score) {
        this.word = word;
        this.frequency = frequency;
        this.score = score;
    }

    public String getWord() {
        return word;
    }

    public int getFrequency() {
        return frequency;
    }

    public int getScore() {
        return score;
    }
}
