package dev.tacho.table;

import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Call trees that one thread owns at a time, from the call of a root to its end. So counting only
 * adds to a field, and two processors never write to the same cache line. There are as many of them
 * as threads were in roots at the same time, however many threads come and go.
 */
final class TachoTree {
    private static final int DEEPEST_NODE = 64;

    /** The counts that it belongs to; each reset makes new ones. */
    final Object counts;
    private final AtomicInteger room;
    private final AtomicBoolean taken = new AtomicBoolean(true);
    private TachoNode roots;

    /** It is the maker's at first. */
    TachoTree(Object counts, AtomicInteger room) {
        this.counts = counts;
        this.room = room;
    }

    boolean take() {
        return !taken.get() && taken.compareAndSet(false, true);
    }

    /** What was written until now is seen by whoever takes or reads it. */
    void release() {
        taken.lazySet(false);
    }

    /** Null when there is no room. */
    TachoNode root(int method, TachoSlot slot) {
        TachoNode root = TachoNode.find(roots, method);
        if (root == null && hasRoom(null)) {
            root = new TachoNode(this, null, -1, method, slot, roots);
            roots = root;
        }
        return root;
    }

    boolean hasRoom(TachoNode parent) {
        if (parent != null && parent.depth >= DEEPEST_NODE) {
            return false;
        }
        if (room.decrementAndGet() >= 0) {
            return true;
        }
        room.incrementAndGet();
        return false;
    }

    /** Nobody reads it any more. A call that is under way goes on with nodes that it has. */
    void forget() {
        roots = null;
    }

    void addRoots(List<TachoNode> to) {
        // Whatever was released before is seen after this.
        taken.get();
        TachoNode.addChain(roots, to);
    }
}
