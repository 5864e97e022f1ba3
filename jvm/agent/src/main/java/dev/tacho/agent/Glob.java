package dev.tacho.agent;

/**
 * A text in which {@code *} stands for any text. It is no regular expression: it is matched while
 * classes are being loaded, and a regular expression might need the very class being loaded.
 */
final class Glob {
    private final String pattern;

    Glob(String pattern) {
        this.pattern = pattern;
    }

    /**
     * Time grows with the length of pattern and text, in the worst case with their product: only
     * the last star is ever tried again.
     */
    boolean matches(String text) {
        int at = 0;
        int in = 0;
        int star = -1;
        int starMatched = 0;
        while (in < text.length()) {
            if (at < pattern.length() && pattern.charAt(at) == '*') {
                star = at++;
                starMatched = in;
            } else if (at < pattern.length() && pattern.charAt(at) == text.charAt(in)) {
                at++;
                in++;
            } else if (star >= 0) {
                at = star + 1;
                in = ++starMatched;
            } else {
                return false;
            }
        }
        while (at < pattern.length() && pattern.charAt(at) == '*') {
            at++;
        }
        return at == pattern.length();
    }
}
