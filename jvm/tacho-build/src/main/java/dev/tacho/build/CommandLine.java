package dev.tacho.build;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The words of one command, in their order. */
public final class CommandLine {
    private final List<String> words = new ArrayList<>();

    /** Of one command of the program. */
    public CommandLine(String command) {
        words.add(command);
    }

    private CommandLine() {}

    /** Words that stand behind a command and its subject. */
    public static CommandLine options() {
        return new CommandLine();
    }

    /** A word as it is. */
    public CommandLine word(Path path) {
        words.add(path.toString());
        return this;
    }

    /** An option with its value; left out when the value is null or blank. */
    public CommandLine option(String name, Object value) {
        if (value != null && !value.toString().isBlank()) {
            words.add(name);
            words.add(value.toString());
        }
        return this;
    }

    /** The option once for each value. */
    public CommandLine each(String name, List<String> values) {
        if (values != null) {
            values.forEach(value -> option(name, value));
        }
        return this;
    }

    /** An option without a value. */
    public CommandLine flag(String name, boolean isSet) {
        if (isSet) {
            words.add(name);
        }
        return this;
    }

    /** Words that somebody else has chosen. */
    public CommandLine further(List<String> arguments) {
        if (arguments != null) {
            words.addAll(arguments);
        }
        return this;
    }

    /** All of them. */
    public List<String> words() {
        return List.copyOf(words);
    }
}
