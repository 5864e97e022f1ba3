package dev.tacho.warmup.readiness;

/** Whether traffic may come; never again refused once it may. */
public final class Readiness {

    private volatile boolean isAllowed;

    /** From now on what Spring Boot says is true. */
    public void allow() {
        isAllowed = true;
    }

    /** Whether that was said. */
    public boolean isAllowed() {
        return isAllowed;
    }
}
