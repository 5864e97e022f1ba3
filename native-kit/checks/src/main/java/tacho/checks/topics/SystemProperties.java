package tacho.checks.topics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** What the program is told of where it runs. */
final class SystemProperties implements Topic {

    private static final List<String> ALIKE = List.of(
            "os.name",
            "os.arch",
            "os.version",
            "user.name",
            "user.home",
            "file.separator",
            "path.separator",
            "java.io.tmpdir",
            "java.specification.version",
            "java.version",
            "file.encoding",
            "native.encoding",
            "stdout.encoding",
            "user.language",
            "java.vm.specification.version");

    @Override
    public void check(Checks checks) {
        for (String name : ALIKE) {
            checks.alike("properties." + name, () -> System.getProperty(name));
        }
        checks.check(
                "properties.folder",
                true,
                () -> Files.isSameFile(Path.of(System.getProperty("user.dir")), Path.of("")));
        checks.check("properties.set and cleared", "x then null", () -> {
            System.setProperty("checks.set", "x");
            return System.clearProperty("checks.set") + " then " + System.getProperty("checks.set");
        });
        checks.check("properties.line end", 1, () -> System.lineSeparator().length());
        checks.alike("properties.version of Java", () -> Runtime.version().feature());
        checks.check("properties.assertions", "off", () -> {
            boolean on = false;
            assert on = true;
            return on ? "on" : "off";
        });
        checks.check(
                "properties.environment",
                "Europe/Berlin null",
                () -> System.getenv("TZ") + " " + System.getenv("NO_SUCH_VARIABLE"));
    }
}
