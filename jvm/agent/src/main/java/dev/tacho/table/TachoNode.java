package dev.tacho.table;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;

/** A traced method at one place of the tree: called from this call site of that node. */
public final class TachoNode {
    public final int number;
    public final TachoNode parent;
    public final int parentSite;
    public final TachoSlot slot;
    public final TachoCell own = new TachoCell();
    public final TachoCell[] sites;
    final int depth;
    private final ConcurrentMap<Long, TachoNode> children = new ConcurrentHashMap<>(4);

    TachoNode(int number, TachoNode parent, int parentSite, TachoSlot slot) {
        this.number = number;
        this.parent = parent;
        this.parentSite = parentSite;
        this.slot = slot;
        this.depth = parent == null ? 0 : parent.depth + 1;
        this.sites = new TachoCell[slot.sites.length];
        for (int i = 0; i < sites.length; i++) {
            sites[i] = new TachoCell();
        }
    }

    /** Null when the tree is full. */
    TachoNode child(TachoConfig config, int site, int number, TachoSlot of) {
        Long key = ((long) site << 32) | number;
        TachoNode child = children.get(key);
        if (child != null) {
            return child;
        }
        TachoNode made = config.newNode(this, site, of);
        if (made == null) {
            return null;
        }
        TachoNode first = children.putIfAbsent(key, made);
        if (first != null) {
            return first;
        }
        config.keep(made);
        return made;
    }
}
