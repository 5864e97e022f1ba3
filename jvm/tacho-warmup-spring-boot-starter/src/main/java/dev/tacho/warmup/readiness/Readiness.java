package dev.tacho.warmup.readiness;

/** Whether traffic may come; never again refused once it may. */
public final class Readiness {

    private volatile boolean isAllowed;

    /** From now on the state that Spring Boot keeps counts. */
    public void allow() {
        isAllowed = true;
    }

    /** Whether {@link #allow} was called. */
    public boolean isAllowed() {
        return isAllowed;
    }
}
