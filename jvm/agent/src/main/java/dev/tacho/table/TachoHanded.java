package dev.tacho.table;

/** Something that was handed to another thread and has not been taken yet. */
final class TachoHanded {
    final int probe;
    /** Where it was handed over. */
    final TachoStack stack;
    final long since = System.nanoTime();
    /** The same object handed over before and not taken either: a task may be handed over twice. */
    TachoHanded before;

    TachoHanded(int probe, TachoStack stack) {
        this.probe = probe;
        this.stack = stack;
    }
}
