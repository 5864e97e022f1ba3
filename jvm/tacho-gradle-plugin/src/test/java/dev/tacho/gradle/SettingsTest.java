package dev.tacho.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.io.File;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsTest {
    @Test
    void anExperimentThatIsNamedIsNotIgnoredWhereItIsNotThere(@TempDir Path folder) throws Exception {
        File usual = folder.resolve("experiment.yaml").toFile();
        File named = folder.resolve("bench.yml").toFile();
        assertEquals(named, Settings.taken(named, usual));
        assertNull(Settings.taken(usual, usual));
        assertNull(Settings.taken(null, usual));
        Files.createFile(usual.toPath());
        assertEquals(usual, Settings.taken(usual, usual));
    }
}
