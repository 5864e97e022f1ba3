package tacho.nativekit.driver.builder;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;

/** Files with a name and a number in each line, such as /proc/meminfo and memory.stat. */
final class MemoryFile {

    private MemoryFile() {
    }

    static OptionalLong entry(Path file, String name) {
        try {
            return Files.readAllLines(file).stream().map(line -> line.split("[: ]+")).filter(words -> words.length > 1 && words[0].equals(name))
                    .mapToLong(words -> Long.parseLong(words[1])).findFirst();
        } catch (IOException | NumberFormatException unreadable) {
            return OptionalLong.empty();
        }
    }
}
