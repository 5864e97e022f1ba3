package dev.tacho.table;

import java.util.Arrays;

/** What is known of a thread. */
final class TachoState {
    /** Deeper than this nothing is observed: a recursion without end must not fill the heap. */
    private static final int DEEPEST = 2048;

    /** The thread is in the agent's own work, or in what that calls. */
    boolean busy;
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
            calls = Arrays.copyOf(calls, at * 2);
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
