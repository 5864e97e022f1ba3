package dev.tacho.warmup.rule;

import com.sun.management.HotSpotDiagnosticMXBean;
import java.lang.management.ManagementFactory;

/**
 * How many requests a JVM needs until it has seen each of their methods often enough to compile it
 * for the last time.
 *
 * <p>HotSpot counts invocations. What runs once for each request goes to the last compiler at
 * {@code Tier4InvocationThreshold} (5,000) of them at the latest, without tiers at
 * {@code CompileThreshold}. Flat response times before that prove nothing: they are the plateau
 * between two compilers.
 */
final class CompilationThreshold {

    private static final int LAST_TIER = 4;

    private CompilationThreshold() {
    }

    /**
     * Of the JVM that runs this; 0 where it does not say, or where the last compiler is switched
     * off.
     */
    static long requests() {
        if (System.getProperty("org.graalvm.nativeimage.imagecode") != null) {
            return 0; // compiled before it started
        }
        try {
            return requests(ManagementFactory.getPlatformMXBean(HotSpotDiagnosticMXBean.class));
        } catch (IllegalArgumentException | LinkageError notHotSpot) {
            return 0; // without such options, or without the module jdk.management
        }
    }

    private static long requests(HotSpotDiagnosticMXBean jvm) {
        if (jvm == null) {
            return 0;
        }
        if (!Boolean.parseBoolean(option(jvm, "TieredCompilation"))) {
            return Long.parseLong(option(jvm, "CompileThreshold"));
        }
        boolean isLastTierOn = Integer.parseInt(option(jvm, "TieredStopAtLevel")) >= LAST_TIER;
        return isLastTierOn ? Long.parseLong(option(jvm, "Tier4InvocationThreshold")) : 0;
    }

    private static String option(HotSpotDiagnosticMXBean jvm, String name) {
        return jvm.getVMOption(name).getValue();
    }
}
