package tacho.labs.strings;

/** The body of both operations. */
public record Text(String s) {
}
