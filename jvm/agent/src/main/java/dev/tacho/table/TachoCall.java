package dev.tacho.table;

/**
 * A call that is under way: one for each depth of a thread, used again and again, so that a call
 * allocates nothing.
 */
public final class TachoCall {
    final TachoState state;
    final int depth;
    TachoConfig config;
    TachoSlot slot;
    Object receiver;
    Object first;
    Object second;
    boolean counted;
    long start;
    /**
     * Of a trace: the place in the tree, or null when this call is let pass; and the call site that
     * is under way, or -1.
     */
    TachoNode node;
    int site = -1;
    long siteStart;
    /** Of a watch. */
    Object token;

    TachoCall(TachoState state, int depth) {
        this.state = state;
        this.depth = depth;
    }

    /** Whatever was called from here has ended, however it did. */
    void leave() {
        state.depth = depth;
        receiver = null;
        first = null;
        second = null;
        node = null;
        token = null;
        config = null;
    }
}
