package dev.tacho.table;

/** What is known of a thread. */
final class TachoState {
    /** Deeper than this nothing is observed: a recursion without end must not fill the heap. */
    private static final int DEEPEST = 2048;

    /** The thread is in the agent's own work, or in what that calls. */
    boolean busy;
    /** The thread is in the agent's transformer, and whether it was busy before. */
    boolean transforming;
    boolean wasBusy;
    int depth;
    TachoCall[] calls = new TachoCall[8];
    final TachoWalk walk = new TachoWalk();
    /** The one that it had last. */
    TachoTree tree;

    TachoCall push() {
        int at = depth;
        if (at == calls.length) {
            if (at >= DEEPEST) {
                return null;
            }
            // Not by java.util.Arrays, which may be what is instrumented.
            TachoCall[] more = new TachoCall[at * 2];
            System.arraycopy(calls, 0, more, 0, at);
            calls = more;
        }
        TachoCall call = calls[at];
        if (call == null) {
            call = new TachoCall(this, at);
            calls[at] = call;
        }
        depth = at + 1;
        return call;
    }
}
