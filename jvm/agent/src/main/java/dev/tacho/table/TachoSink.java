package dev.tacho.table;

/**
 * Where calls go that are looked at one by one; the agent extends it, so that what it does with
 * them is not on the boot class path.
 */
public abstract class TachoSink {
    /** A token that is returned when the call ends; null when nobody wants to know. */
    public abstract Object enter(TachoSlot slot, Object receiver, Object[] arguments);

    /** The call has ended. */
    public abstract void exit(Object token, boolean hasResult, Object result, Throwable thrown, long nanos, TachoStack stack);
}
