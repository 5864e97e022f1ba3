package dev.tacho.warmup.run;

/** What follows when the service cannot be warmed. */
public enum OnFailure {

    /** Traffic comes all the same: cold is better than not at all. */
    OPEN,
    /** The service goes on running, but refuses traffic. */
    CLOSED,
    /** The service ends, so that whoever started it starts it again. */
    STOP
}
