package tacho.checks.topics;

import java.io.PrintWriter;
import java.io.StringWriter;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** What is thrown, by the program and by the machine. */
final class Exceptions implements Topic {

    /** Something to be closed that fails. */
    private record Failing(String name) implements AutoCloseable {
        @Override
        public void close() {
            throw new IllegalStateException("close " + name);
        }
    }

    @Override
    public void check(Checks checks) {
        checks.check("exceptions.null", "NullPointerException", () -> caught(() -> ((String) nothing()).length()));
        checks.check("exceptions.index", "ArrayIndexOutOfBoundsException: Index 3 out of bounds for length 2", () -> {
            try {
                int[] two = new int[2];
                return two[Integer.parseInt("3")];
            } catch (ArrayIndexOutOfBoundsException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        });
        checks.check("exceptions.cast", "ClassCastException", () -> caught(() -> (Integer) (Object) "text"));
        checks.check("exceptions.array store", "ArrayStoreException: java.lang.Integer", () -> {
            Object[] array = new String[1];
            try {
                array[0] = 1;
                return "stored";
            } catch (ArrayStoreException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        });
        checks.check("exceptions.negative size", "NegativeArraySizeException: -1", () -> {
            try {
                return new int[Integer.parseInt("-1")];
            } catch (NegativeArraySizeException e) {
                return e.getClass().getSimpleName() + ": " + e.getMessage();
            }
        });
        checks.check("exceptions.suppressed", "body suppressed [close b, close a]", () -> {
            try (Failing _ = new Failing("a");
                    Failing _ = new Failing("b")) {
                throw new IllegalStateException("body");
            } catch (IllegalStateException e) {
                return e.getMessage() + " suppressed "
                        + java.util.Arrays.stream(e.getSuppressed())
                                .map(Throwable::getMessage)
                                .toList();
            }
        });
        checks.check("exceptions.trace with lines", "thrown at Exceptions.java, a line true, caused true", () -> {
            Exception e = new Exception("outer", thrownBelow());
            StringWriter written = new StringWriter();
            e.printStackTrace(new PrintWriter(written));
            StackTraceElement frame = e.getCause().getStackTrace()[0];
            return "thrown at " + frame.getFileName() + ", a line " + (frame.getLineNumber() > 0) + ", caused "
                    + written.toString().contains("Caused by: java.lang.RuntimeException: below");
        });
        checks.check(
                "exceptions.in a static initialiser", "ExceptionInInitializerError, then NoClassDefFoundError", () -> {
                    String first = caughtError(Broken::touch);
                    return first + ", then " + caughtError(Broken::touch);
                });
    }

    /** Its initialiser fails, at run time. */
    private static final class Broken {
        private static final int VALUE = Integer.parseInt(System.getProperty("no.such.property", "no number"));

        private static int touch() {
            return VALUE;
        }
    }

    private static Object nothing() {
        return System.getProperty("no.such.property");
    }

    private static String caught(Checks.Body body) throws Throwable {
        try {
            return "nothing thrown: " + body.value();
        } catch (RuntimeException e) {
            return e.getClass().getSimpleName();
        }
    }

    private static String caughtError(Checks.Body body) throws Throwable {
        try {
            return "nothing thrown: " + body.value();
        } catch (Error e) {
            return e.getClass().getSimpleName();
        }
    }

    private static RuntimeException thrownBelow() {
        return new RuntimeException("below");
    }
}
