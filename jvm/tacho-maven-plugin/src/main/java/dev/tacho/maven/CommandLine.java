package dev.tacho.maven;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The words of one command, in their order. */
final class CommandLine {
    private final List<String> words = new ArrayList<>();

    CommandLine(String command) {
        words.add(command);
    }

    CommandLine word(Path path) {
        words.add(path.toString());
        return this;
    }

    /** Left out where nothing is said. */
    CommandLine option(String name, Object value) {
        if (value != null && !value.toString().isBlank()) {
            words.add(name);
            words.add(value.toString());
        }
        return this;
    }

    CommandLine each(String name, List<String> values) {
        if (values != null) {
            values.forEach(value -> option(name, value));
        }
        return this;
    }

    CommandLine flag(String name, boolean isSet) {
        if (isSet) {
            words.add(name);
        }
        return this;
    }

    CommandLine further(List<String> arguments) {
        if (arguments != null) {
            words.addAll(arguments);
        }
        return this;
    }

    List<String> words() {
        return List.copyOf(words);
    }
}
