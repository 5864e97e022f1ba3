package dev.tacho.warmup.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.IntStream;

/**
 * The starter many times under as many names, so that what one costs can be told from the noise of
 * a start: the difference of many is many times as large, and the noise is the same.
 */
final class RenamedStarters {

    /**
     * As long as what takes its place, so that the constants of a class stay as long as they are
     * (JVMS 4.4.7).
     */
    private static final String NAME = "warmup";
    private static final String OTHER_NAME = "warm%02d";
    private static final int MOST = 100;

    private RenamedStarters() {
    }

    static List<Path> of(Path starter, int count, Path folder) {
        if (count > MOST) {
            throw new IllegalArgumentException("at most " + MOST + " names have two digits, and not " + count);
        }
        return IntStream.range(0, count).mapToObj(number -> copy(starter, folder, OTHER_NAME.formatted(number))).toList();
    }

    private static Path copy(Path starter, Path folder, String name) {
        Path copy = folder.resolve(name + ".jar");
        try (JarFile from = new JarFile(starter.toFile());
                JarOutputStream to = new JarOutputStream(Files.newOutputStream(copy))) {
            for (JarEntry entry : from.stream().toList()) {
                to.putNextEntry(new JarEntry(renamed(entry.getName(), name)));
                byte[] bytes = from.getInputStream(entry).readAllBytes();
                // Every byte is a character of Latin 1 and the other way round.
                String text = renamed(new String(bytes, StandardCharsets.ISO_8859_1), name);
                to.write(text.getBytes(StandardCharsets.ISO_8859_1));
                to.closeEntry();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("no copy of " + starter, e);
        }
        return copy;
    }

    private static String renamed(String text, String name) {
        return text.replace("dev/tacho/" + NAME, "dev/tacho/" + name).replace("dev.tacho." + NAME, "dev.tacho." + name);
    }
}
