package tacho.labs.strings;

import java.util.logging.Logger;

/** Writes one line for each request, in the words of go-kit's logging middleware. */
final class LoggedStrings implements StringService {

    private static final Logger LOG = Logger.getLogger("requests");

    private final StringService next;

    LoggedStrings(StringService next, LogWriter writer) {
        this.next = next;
        writer.writeLinesOf(LOG);
    }

    @Override
    public String uppercase(String s) throws EmptyStringException {
        long begin = System.nanoTime();
        try {
            String v = next.uppercase(s);
            log("uppercase", s, quoted(v), "null", begin);
            return v;
        } catch (EmptyStringException e) {
            log("uppercase", s, "\"\"", quoted(e.getMessage()), begin);
            throw e;
        }
    }

    @Override
    public int count(String s) {
        long begin = System.nanoTime();
        int v = next.count(s);
        log("count", s, Integer.toString(v), "null", begin);
        return v;
    }

    private static void log(String method, String input, String output, String err, long begin) {
        double took = (System.nanoTime() - begin) / 1000.0;
        LOG.info(() -> "method=" + method + " input=" + quoted(input) + " output=" + output + " err=" + err
                + " took=" + took + "µs");
    }

    /** Quotes, so that an input with a line end in it stays on its line. */
    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n").replace("\r", "\\r") + '"';
    }
}
