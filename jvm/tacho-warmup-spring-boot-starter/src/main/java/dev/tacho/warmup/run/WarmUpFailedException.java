package dev.tacho.warmup.run;

/** The service cannot be warmed, and {@code tacho.warmup.on-failure} is {@code stop}. */
public final class WarmUpFailedException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    WarmUpFailedException(WarmUpReport report) {
        super("The service could not be warmed (" + report.lastFailure()
                + "), and tacho.warmup.on-failure is stop. With open it would serve cold, with closed refuse traffic");
    }
}
