package dev.tacho.agent;

import java.lang.instrument.Instrumentation;
import java.net.URL;
import java.net.URLClassLoader;

/**
 * The only class of the agent that the application's class loader ever loads. Everything else is loaded by a loader of the session's own, which
 * goes when the session ends.
 */
public final class Entry {
    private Entry() {
    }

    /** Begins a session; the argument is the path of its folder. */
    public static void agentmain(String folder, Instrumentation instrumentation) throws Exception {
        URL jar = Entry.class.getProtectionDomain().getCodeSource().getLocation();
        URLClassLoader inside = new URLClassLoader(new URL[] {jar}, null);
        try {
            Class<?> session = Class.forName("dev.tacho.agent.Session", true, inside);
            session.getMethod("begin", String.class, Instrumentation.class, AutoCloseable.class).invoke(null, folder, instrumentation, inside);
        } catch (Exception e) {
            inside.close();
            throw e;
        }
    }
}
