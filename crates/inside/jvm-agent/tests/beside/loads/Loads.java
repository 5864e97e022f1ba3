package beside;

import java.io.PrintStream;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.security.ProtectionDomain;

/**
 * Says which classes are loaded while a thread is in the transformer of Tacho's agent, or in what
 * instrumented code calls.
 */
public class Loads implements ClassFileTransformer {
    private final PrintStream out = System.out;
    private final ThreadLocal<Boolean> saying = new ThreadLocal<>();

    public static void premain(String arguments, Instrumentation instrumentation) {
        Loads loads = new Loads();
        // Everything that it needs itself is loaded by this.
        loads.transform(null, "none", null, null, null);
        loads.say("none", "said as an example");
        instrumentation.addTransformer(loads);
    }

    @Override
    public byte[] transform(ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        if (redefined == null && saying.get() == null) {
            saying.set(Boolean.TRUE);
            try {
                look(name);
            } finally {
                saying.remove();
            }
        }
        return null;
    }

    private void look(String name) {
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String in = frame.getClassName();
            // In its own trial run all is loaded that may be.
            boolean isTable = in.equals("java.lang.TachoTable");
            if (isTable && isPreparing(frame.getMethodName())) {
                return;
            }
            if (in.equals("dev.tacho.agent.WarmUp") || in.equals("dev.tacho.agent.WarmUp$Trial") || in.equals("dev.tacho.agent.Preload")) {
                return;
            }
        }
        for (StackTraceElement frame : new Throwable().getStackTrace()) {
            String in = frame.getClassName();
            if (in.equals("dev.tacho.agent.Weaver") && frame.getMethodName().equals("transform")) {
                say(name, "in the transformer");
            } else if (in.equals("java.lang.TachoTable")) {
                say(name, "in TachoTable." + frame.getMethodName());
            } else {
                continue;
            }
            return;
        }
    }

    /** Before anything is instrumented. */
    private static boolean isPreparing(String method) {
        return method.equals("install") || method.equals("warmUp") || method.equals("ignoreThisThread");
    }

    private void say(String name, String where) {
        out.println("loaded " + where + ": " + name);
    }
}
