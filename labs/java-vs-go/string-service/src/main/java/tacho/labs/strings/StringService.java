package tacho.labs.strings;

/** The two operations, after the string service of go-kit's tutorial. */
public interface StringService {

    /**
     * Maps each code point to its upper case, one to one.
     *
     * @throws EmptyStringException when there is nothing to map
     */
    String uppercase(String s) throws EmptyStringException;

    /** Counts code points. */
    int count(String s);
}
