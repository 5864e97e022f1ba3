package com.medivault.letters.letter;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The text form of letters: some header lines, an empty line, and a paragraph a line. */
public final class LetterFormat {

    private LetterFormat() {
    }

    public static byte[] write(Letter letter) {
        StringBuilder out = new StringBuilder(16_384);
        out.append("Subject: ").append(letter.subject()).append('\n');
        out.append("From: ").append(letter.sender()).append('\n');
        out.append("To: ").append(letter.recipient()).append('\n');
        out.append("Date: ").append(letter.written()).append("\n\n");
        for (String paragraph : letter.paragraphs()) {
            out.append(paragraph).append('\n');
        }
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }

    public static Letter read(byte[] content) {
        String text = new String(content, StandardCharsets.UTF_8);
        Map<String, String> header = new HashMap<>();
        int position = 0;
        while (true) {
            int end = text.indexOf('\n', position);
            if (end == position) {
                position++;
                break;
            }
            int colon = text.indexOf(':', position);
            header.put(text.substring(position, colon), text.substring(colon + 1, end).trim());
            position = end + 1;
        }
        List<String> paragraphs = new ArrayList<>();
        while (position < text.length()) {
            int end = text.indexOf('\n', position);
            paragraphs.add(text.substring(position, end));
            position = end + 1;
        }
        return new Letter(header.get("Subject"), header.get("From"), header.get("To"),
                LocalDate.parse(header.get("Date")), List.copyOf(paragraphs));
    }
}
