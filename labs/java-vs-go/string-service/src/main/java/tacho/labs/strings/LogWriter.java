package tacho.labs.strings;

import java.util.Locale;
import java.util.logging.Logger;

/** Who writes the lines of the log: the {@code LOG_HANDLER} of the environment. */
enum LogWriter {
    /** The JVM's own {@code ConsoleHandler}: each thread writes its line itself, one at a time. */
    CONSOLE,
    /** A thread of its own writes them. */
    ASYNC,
    /** Nobody: a line is made, and never formatted or written. */
    NONE;

    static LogWriter of(String name) {
        return name == null ? CONSOLE : valueOf(name.toUpperCase(Locale.ROOT));
    }

    void writeLinesOf(Logger log) {
        log.setUseParentHandlers(this == CONSOLE);
        if (this == ASYNC) {
            log.addHandler(new AsyncHandler());
        }
    }
}
