package tacho.nativekit.driver.arguments;

import java.util.ArrayList;
import java.util.List;

/**
 * The words of an argument file, as the java launcher reads it (JDK tool guide, "java Command-Line
 * Argument Files"): white space separates, single and double quotes hold together, # begins a
 * comment; within quotes a backslash escapes and, at the end of a line, continues it.
 */
final class ArgumentFile {

    private final String text;
    private int at;

    private ArgumentFile(String text) {
        this.text = text;
    }

    static List<String> words(String text) {
        ArgumentFile file = new ArgumentFile(text);
        List<String> words = new ArrayList<>();
        while (file.skipToWord()) {
            words.add(file.word());
        }
        return words;
    }

    private boolean skipToWord() {
        while (at < text.length()) {
            char c = text.charAt(at);
            if (c == '#') {
                skipLine();
            } else if (Character.isWhitespace(c)) {
                at++;
            } else {
                return true;
            }
        }
        return false;
    }

    private void skipLine() {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end + 1;
    }

    private String word() {
        StringBuilder word = new StringBuilder();
        char quote = 0;
        while (at < text.length()) {
            char c = text.charAt(at++);
            if (quote == 0 && Character.isWhitespace(c)) {
                break;
            } else if (quote == 0 && (c == '"' || c == '\'')) {
                quote = c;
            } else if (c == quote) {
                quote = 0;
            } else if (c == '\\' && quote != 0 && at < text.length()) {
                escape(word);
            } else {
                word.append(c);
            }
        }
        return word.toString();
    }

    private void escape(StringBuilder word) {
        char c = text.charAt(at++);
        switch (c) {
            case 'n' -> word.append('\n');
            case 'r' -> word.append('\r');
            case 't' -> word.append('\t');
            case 'f' -> word.append('\f');
            case '\n' -> skipIndentation();
            case '\r' -> {
                if (at < text.length() && text.charAt(at) == '\n') {
                    at++;
                }
                skipIndentation();
            }
            default -> word.append(c);
        }
    }

    private void skipIndentation() {
        while (at < text.length() && (text.charAt(at) == ' ' || text.charAt(at) == '\t')) {
            at++;
        }
    }
}
