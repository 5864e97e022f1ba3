package tacho.checks;

/** Checks of one thing. */
public interface Topic {

    /** Runs the checks, in an order that is always the same. */
    void check(Checks checks);
}
