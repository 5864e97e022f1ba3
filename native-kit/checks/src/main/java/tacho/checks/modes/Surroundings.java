package tacho.checks.modes;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.text.NumberFormat;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.util.List;
import java.util.Locale;
import java.util.TimeZone;

/** What the program takes from where it runs. */
final class Surroundings {

    private static final Instant CHRISTMAS = Instant.parse("2025-12-24T18:00:00Z");

    private Surroundings() {}

    static void environment(List<String> arguments) {
        System.out.println(
                "zone " + ZoneId.systemDefault() + ", " + TimeZone.getDefault().getID());
        System.out.println(
                "locale " + Locale.getDefault() + ", to be shown " + Locale.getDefault(Locale.Category.DISPLAY)
                        + ", to be formatted " + Locale.getDefault(Locale.Category.FORMAT));
        System.out.println("encoding " + Charset.defaultCharset());
        System.out.println("number " + NumberFormat.getInstance().format(1234.5));
        System.out.println("date "
                + DateTimeFormatter.ofLocalizedDateTime(FormatStyle.LONG)
                        .withZone(ZoneId.systemDefault())
                        .format(CHRISTMAS));
        System.out.println("variable " + System.getenv("CHECKS_VARIABLE"));
    }

    /**
     * What the control group allows; how much of its memory a heap takes by default is not the same
     * in every build.
     */
    static void limits(List<String> arguments) {
        var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long memory = system.getTotalMemorySize();
        long heap = Runtime.getRuntime().maxMemory();
        System.out.println("processors " + Runtime.getRuntime().availableProcessors());
        System.out.println("memory " + (memory >> 20) + " MiB");
        System.out.println("heap fits " + (heap > 0 && heap < memory));
    }

    static void property(List<String> arguments) {
        for (String name : arguments) {
            System.out.println(name + " is " + System.getProperty(name));
        }
        System.out.println(
                "maximum of the heap at most 64 MiB " + (Runtime.getRuntime().maxMemory() <= 64 << 20));
    }
}
