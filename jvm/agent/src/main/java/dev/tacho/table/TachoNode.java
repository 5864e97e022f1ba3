package dev.tacho.table;

import java.util.ArrayList;
import java.util.List;

/**
 * A traced method at one place of the call tree: called from one call site of its parent node. Only
 * the thread that has the tree writes to it. A reader may or may not see a call that is still
 * running.
 */
public final class TachoNode {
    private static final int FIELDS = 3;

    final TachoTree tree;
    public final TachoNode parent;
    public final int parentSite;
    /** The number of the method. */
    public final int method;
    public final TachoSlot slot;
    final int depth;
    private long count;
    private long total;
    private long failed;
    /** Of a root: calls that were let pass without being timed. */
    private long passed;
    /** Of a call that is kept by itself: when it began, and its thread. */
    long began;
    String thread;
    private int turn;
    private int random = 1;
    private final long[] sites;
    /**
     * By call site, and one for what is called from none; each the first of a chain, made when
     * there is one.
     */
    private TachoNode[] children;
    private final TachoNode next;

    TachoNode(TachoTree tree, TachoNode parent, int parentSite, int method, TachoSlot slot, TachoNode next) {
        this.tree = tree;
        this.parent = parent;
        this.parentSite = parentSite;
        this.method = method;
        this.slot = slot;
        this.depth = parent == null ? 0 : parent.depth + 1;
        this.sites = new long[slot.sites.length * FIELDS];
        this.next = next;
    }

    /** The node of a method in a chain. */
    static TachoNode find(TachoNode first, int method) {
        TachoNode node = first;
        while (node != null && node.method != method) {
            node = node.next;
        }
        return node;
    }

    /** Null when the tree is full. */
    TachoNode child(int site, int method, TachoSlot of) {
        TachoNode[] all = children;
        if (all == null) {
            all = new TachoNode[slot.sites.length + 1];
            children = all;
        }
        TachoNode child = find(all[site + 1], method);
        if (child == null && tree.hasRoom(this)) {
            child = new TachoNode(tree, this, site, method, of, all[site + 1]);
            all[site + 1] = child;
        }
        return child;
    }

    /** Whether this call of a root is the one in N that is timed. */
    boolean isTurn() {
        int every = slot.every;
        if (every <= 1) {
            return true;
        }
        if (turn-- > 0) {
            passed++;
            return false;
        }
        // Chosen at random, one in N on average: if two kinds of calls took turns, a fixed step
        // could time only one of them. (Knuth, TAOCP 2, 3.3.4.)
        random = random * 1664525 + 1013904223;
        turn = (int) ((random & 0xffffffffL) * (2L * every - 1) >>> 32);
        return true;
    }

    void add(long nanos) {
        count++;
        total += nanos;
    }

    void addFailed(long nanos) {
        failed++;
        add(nanos);
    }

    void addSite(int site, long nanos) {
        sites[site * FIELDS]++;
        sites[site * FIELDS + 1] += nanos;
    }

    void addFailedSite(int site, long nanos) {
        sites[site * FIELDS + 2]++;
        addSite(site, nanos);
    }

    // --- for the agent --------------------------------------------------------------------------

    public long count() {
        return count;
    }

    public long total() {
        return total;
    }

    public long failed() {
        return failed;
    }

    public long passed() {
        return passed;
    }

    public long began() {
        return began;
    }

    public String thread() {
        return thread;
    }

    public long siteCount(int site) {
        return sites[site * FIELDS];
    }

    public long siteTotal(int site) {
        return sites[site * FIELDS + 1];
    }

    public long siteFailed(int site) {
        return sites[site * FIELDS + 2];
    }

    public List<TachoNode> children() {
        List<TachoNode> found = new ArrayList<>();
        TachoNode[] all = children;
        if (all != null) {
            for (TachoNode first : all) {
                addChain(first, found);
            }
        }
        return found;
    }

    static void addChain(TachoNode first, List<TachoNode> to) {
        for (TachoNode node = first; node != null; node = node.next) {
            to.add(node);
        }
    }
}
