package dev.tacho.agent;

/**
 * A text in which {@code *} stands for any text. By hand, since it is asked while classes are being
 * loaded, and a regular expression then needs classes that may be the very ones.
 */
final class Glob {
    private final String pattern;

    Glob(String pattern) {
        this.pattern = pattern;
    }

    /**
     * As long as the two are, in the worst case one times the other: only the last star is ever
     * tried again.
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
