package com.medivault.letters.letter;

import java.time.LocalDate;
import java.util.List;

/** A discharge letter after opening. */
public record Letter(String subject, String sender, String recipient, LocalDate written, List<String> paragraphs) {

    private static final int CHARACTERS_PER_PAGE = 2_800;

    public int pages() {
        int characters = 0;
        for (String paragraph : paragraphs) {
            characters += paragraph.length();
        }
        return Math.max(1, (characters + CHARACTERS_PER_PAGE - 1) / CHARACTERS_PER_PAGE);
    }

    public String opening(int length) {
        String first = paragraphs.isEmpty() ? "" : paragraphs.get(0);
        if (first.length() <= length) {
            return first;
        }
        int end = first.lastIndexOf(' ', length);
        return first.substring(0, end < 0 ? length : end) + " ...";
    }
}
