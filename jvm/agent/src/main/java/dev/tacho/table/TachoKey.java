package dev.tacho.table;

import java.util.Arrays;

/** What tells calls apart. */
public final class TachoKey {
    public final int probe;
    public final String[] keys;
    /** Null: the call went well. The text "null": it returned null. Else the exception's class. */
    public final String outcome;
    public final TachoStack stack;
    private final int hash;

    TachoKey(int probe, String[] keys, String outcome, TachoStack stack) {
        this.probe = probe;
        this.keys = keys;
        this.outcome = outcome;
        this.stack = stack;
        int h = probe * 31 + Arrays.hashCode(keys);
        h = h * 31 + (outcome == null ? 0 : outcome.hashCode());
        this.hash = h * 31 + System.identityHashCode(stack);
    }

    @Override
    public int hashCode() {
        return hash;
    }

    @Override
    public boolean equals(Object other) {
        if (!(other instanceof TachoKey)) {
            return false;
        }
        TachoKey that = (TachoKey) other;
        return probe == that.probe && stack == that.stack && Arrays.equals(keys, that.keys)
                && (outcome == null ? that.outcome == null : outcome.equals(that.outcome));
    }
}
