package dev.tacho.agent;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BootTest {
    @TempDir
    Path folder;

    @Test
    void aJarIsReadPastAllClassLoadersAndOneThatLacksAFileIsNamed() throws Exception {
        Path jar = folder.resolve("an agent.jar");
        byte[] bytes = new byte[20_000];
        bytes[9_999] = 7;
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("java/lang/A.class"));
            zip.write(bytes);
            zip.closeEntry();
        }
        assertArrayEquals(bytes, Boot.bytes(jar.toFile(), "java/lang/A.class"));
        var error = assertThrows(IOException.class, () -> Boot.bytes(jar.toFile(), "java/lang/B.class"));
        assertTrue(error.getMessage().contains("java/lang/B.class"), error.getMessage());
    }
}
