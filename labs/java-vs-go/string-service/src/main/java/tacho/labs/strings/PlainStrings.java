package tacho.labs.strings;

/** The operations themselves. */
final class PlainStrings implements StringService {

    /**
     * {@code String.toUpperCase} would make two letters of one (of the German sharp s, for one);
     * Go's {@code strings.ToUpper} does not. The one-to-one mapping of Unicode is what both can do.
     */
    @Override
    public String uppercase(String s) throws EmptyStringException {
        if (s.isEmpty()) {
            throw new EmptyStringException();
        }
        StringBuilder upper = new StringBuilder(s.length());
        for (int at = 0; at < s.length(); ) {
            int codePoint = s.codePointAt(at);
            upper.appendCodePoint(Character.toUpperCase(codePoint));
            at += Character.charCount(codePoint);
        }
        return upper.toString();
    }

    @Override
    public int count(String s) {
        return s.codePointCount(0, s.length());
    }
}
