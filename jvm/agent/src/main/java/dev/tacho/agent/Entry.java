package dev.tacho.agent;

import java.io.File;
import java.lang.instrument.Instrumentation;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * The only class of the agent that the application's class loader ever loads. Everything else is
 * loaded by a loader of the session's own, which goes when the session ends.
 */
public final class Entry implements Runnable {
    /** How long the message stays, so that a Tacho with little processor time can read it too. */
    private static final long SAID_MS = 60_000;
    private static final int LONGEST = 300;

    private Entry() {
    }

    /**
     * Begins a session; the argument is the path of its folder and, on a second line, that of the
     * agent's jar. Throws nothing: the JVM would print it among what the service prints.
     */
    public static void agentmain(String argument, Instrumentation instrumentation) {
        try {
            begin(argument, instrumentation);
        } catch (InvocationTargetException e) {
            say(e.getCause());
        } catch (Throwable e) {
            say(e);
        }
    }

    /**
     * Reports a failure as the name of a thread, since there may be no folder to write it to. A
     * thread needs no disk space, and this one ends by itself.
     */
    private static void say(Throwable failure) {
        String message = failure.getMessage();
        boolean isSentence = message != null && (failure instanceof IllegalArgumentException || failure instanceof IllegalStateException);
        StringBuilder name = new StringBuilder("tacho-agent: ").append(isSentence ? message : failure.toString());
        for (int i = 0; i < name.length(); i++) {
            if (name.charAt(i) < ' ' || name.charAt(i) == '"') {
                name.setCharAt(i, ' ');
            }
        }
        name.setLength(Math.min(name.length(), LONGEST));
        Thread thread = new Thread(new Entry(), name.toString());
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void run() {
        try {
            Thread.sleep(SAID_MS);
        } catch (InterruptedException e) {
            // Then it is over sooner.
        }
    }

    private static void begin(String argument, Instrumentation instrumentation) throws Exception {
        int end = argument.indexOf('\n');
        String folder = end < 0 ? argument : argument.substring(0, end);
        URLClassLoader inside = new URLClassLoader(new URL[] {end < 0 ? ownJar() : jar(argument.substring(end + 1))}, null);
        try {
            Class<?> session = Class.forName("dev.tacho.agent.Session", true, inside);
            session.getMethod("begin", String.class, Instrumentation.class, AutoCloseable.class).invoke(null, folder, instrumentation, inside);
        } catch (Exception e) {
            inside.close();
            throw e;
        }
    }

    /**
     * The jar of the Tacho that asks. This class is that of the first Tacho that ever was in this
     * JVM, whose jar may be another version's, and may be gone.
     */
    private static URL jar(String path) throws MalformedURLException {
        return new File(path).toURI().toURL();
    }

    private static URL ownJar() {
        return Entry.class.getProtectionDomain().getCodeSource().getLocation();
    }
}
