package dev.tacho.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CommandsTest {
    @Test
    void whatIsNotSaidIsLeftToTacho() {
        List<String> words = new CommandLine("run")
                .word(Path.of("target/app.jar"))
                .option("--variants", null)
                .option("--launches", " ")
                .option("--runs", "target/tacho/runs")
                .each("--check", List.of("p99<50ms", "ready<2s"))
                .flag("--quick", false)
                .further(List.of("--seed", "1"))
                .words();
        assertEquals(
                List.of(
                        "run", "target/app.jar", "--runs", "target/tacho/runs", "--check", "p99<50ms", "--check",
                        "ready<2s", "--seed", "1"),
                words);
    }

    @Test
    void aCheckThatFailsFailsTheBuildAndAMachineThatLacksSomethingIsAnError() throws Exception {
        Outcome.of(0).tell();
        for (int code : new int[] {1, 3}) {
            assertThrows(MojoFailureException.class, () -> Outcome.of(code).tell());
        }
        for (int code : new int[] {2, 4, 130, 77}) {
            assertThrows(MojoExecutionException.class, () -> Outcome.of(code).tell());
        }
    }

    @Test
    void theLastReleaseIsNoSnapshot() {
        List<String> versions = List.of("1.0.0", "1.1.0", "1.2.0-SNAPSHOT");
        assertEquals(Optional.of("1.1.0"), Releases.last(versions));
        assertEquals(Optional.empty(), Releases.last(List.of("0.1-SNAPSHOT")));
        assertEquals("[0,1.2.0-SNAPSHOT)", Releases.before("1.2.0-SNAPSHOT"));
    }

    @Test
    void eachSystemHasItsBinaryAndOthersAreNamed() throws Exception {
        assertEquals("linux-x86_64", Binary.classifier("Linux", "amd64"));
        assertEquals("linux-aarch64", Binary.classifier("Linux", "aarch64"));
        var error = assertThrows(MojoExecutionException.class, () -> Binary.classifier("Mac OS X", "aarch64"));
        assertTrue(error.getMessage().contains("-Dtacho.executable"), error.getMessage());
    }

    @Test
    void aFileOfARepositoryIsMadeExecutableOnce(@TempDir Path folder) throws Exception {
        Path artifact = Files.writeString(folder.resolve("tacho-cli.exe"), "#!/bin/sh\n");
        Path program = Binary.executable(artifact, folder.resolve("target"));
        assertTrue(Files.isExecutable(program));
        var made = Files.getLastModifiedTime(program);
        Binary.executable(artifact, folder.resolve("target"));
        assertEquals(made, Files.getLastModifiedTime(program));
        Files.writeString(artifact, "#!/bin/sh\necho newer\n");
        Binary.executable(artifact, folder.resolve("target"));
        assertEquals(-1, Files.mismatch(artifact, program));
    }
}
