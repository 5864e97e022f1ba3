package tacho.checks;

import java.util.Arrays;
import java.util.List;
import tacho.checks.modes.Modes;
import tacho.checks.topics.Topics;

/**
 * What a Java program may lean on, checked one by one. The lines that it prints are alike on every
 * machine and in every build, so that a native image can be compared with the JVM by {@code diff}.
 *
 * <p>Without arguments all checks run; with arguments it behaves as {@link Modes} says, to be
 * looked at from outside.
 */
public final class Main {

    private Main() {}

    public static void main(String[] arguments) throws Throwable {
        if (arguments.length > 0) {
            List<String> rest = Arrays.asList(arguments).subList(1, arguments.length);
            Modes.named(arguments[0]).run(rest);
            return;
        }
        Checks checks = new Checks(System.out);
        for (Topic topic : Topics.all()) {
            topic.check(checks);
        }
        // Some checks leave threads behind when they fail; they must not keep the program alive.
        System.exit(checks.conclude());
    }
}
