package tacho.nativekit.driver.request;

import java.util.List;

/** The options that this driver handles itself, for --help and for suggestions. */
public final class LauncherOptions {

    /**
     * One of them.
     *
     * @param spellings what people type
     * @param value     what follows, or empty
     * @param isExtra   whether it is for --help-extra
     */
    public record LauncherOption(List<String> spellings, String value, boolean isExtra, String help) {
    }

    public static final List<LauncherOption> ALL = List.of(
            basic("-cp", "PATH", "where classes are: folders and jars, as for java", "-classpath", "--class-path"),
            basic("-p", "PATH", "where modules are", "--module-path"),
            basic("-jar", "FILE", "build the main class of a jar, with the Class-Path of its manifest"),
            basic("-m", "MODULE[/CLASS]", "build the main class of a module", "--module"),
            basic("--add-modules", "MODULE,...", "resolve these modules too; or ALL-DEFAULT, ALL-SYSTEM, ALL-MODULE-PATH"),
            basic("-D", "NAME=VALUE", "a system property while building"),
            basic("-J", "FLAG", "a flag for the JVM that builds, such as -J-Xmx6g"),
            basic("-E", "NAME[=VALUE]", "an environment variable that the builder may see"),
            basic("--verbose", "", "show the builder's command and the metadata that counts"),
            basic("--version", "", "print the version"),
            basic("--help", "", "print this"),
            basic("--help-extra", "", "print the less usual options"),
            basic("--expert-options", "", "print the builder's own options that have a help text"),
            basic("--expert-options-all", "", "print all of the builder's own options"),
            extra("--limit-modules", "MODULE,...", "see only these modules and what they need"),
            extra("--enable-preview", "", "allow classes with preview features"),
            extra("--exclude-config", "JAR RESOURCE", "pass over metadata files: regular expressions for the entry and the file"),
            extra("--dry-run", "", "print the builder's command and do not run it"),
            extra("--debug-attach", "[=PORT]", "let the builder wait for a debugger (port 8000)"));

    private LauncherOptions() {
    }

    private static LauncherOption basic(String spelling, String value, String help, String... others) {
        return option(spelling, value, false, help, others);
    }

    private static LauncherOption extra(String spelling, String value, String help) {
        return option(spelling, value, true, help);
    }

    private static LauncherOption option(String spelling, String value, boolean isExtra, String help,
            String... others) {
        return new LauncherOption(java.util.stream.Stream.concat(java.util.stream.Stream.of(spelling),
                java.util.stream.Stream.of(others)).toList(), value, isExtra, help);
    }
}
