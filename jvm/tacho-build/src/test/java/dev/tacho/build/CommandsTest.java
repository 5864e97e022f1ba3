package dev.tacho.build;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tacho.build.Outcome.Verdict;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
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
    void aCheckThatFailsFailsTheBuildAndAMachineThatLacksSomethingIsAnError() {
        assertEquals(Verdict.GOOD, Outcome.of(0).orElseThrow().verdict());
        for (int code : new int[] {1, 3}) {
            assertEquals(Verdict.FAILURE, Outcome.of(code).orElseThrow().verdict());
        }
        for (int code : new int[] {2, 4, 130}) {
            assertEquals(Verdict.ERROR, Outcome.of(code).orElseThrow().verdict());
        }
        assertEquals(Optional.empty(), Outcome.of(77));
    }

    @Test
    void theLastReleaseIsNoSnapshot() {
        List<String> versions = List.of("1.0.0", "1.1.0", "1.2.0-SNAPSHOT");
        assertEquals(Optional.of("1.1.0"), Releases.last(versions));
        assertEquals(Optional.empty(), Releases.last(List.of("0.1-SNAPSHOT")));
        assertEquals("[0,1.2.0-SNAPSHOT)", Releases.before("1.2.0-SNAPSHOT"));
    }

    @Test
    void eachSystemHasItsBinaryAndOthersHaveNone() {
        assertEquals(Optional.of("linux-x86_64"), Program.classifier("Linux", "amd64"));
        assertEquals(Optional.of("linux-aarch64"), Program.classifier("Linux", "aarch64"));
        assertEquals(Optional.empty(), Program.classifier("Mac OS X", "aarch64"));
        assertEquals(Optional.empty(), Program.classifier("Linux", "riscv64"));
    }

    @Test
    void aFileOfARepositoryIsMadeExecutableOnce(@TempDir Path folder) throws Exception {
        Path artifact = Files.writeString(folder.resolve("tacho-cli.exe"), "#!/bin/sh\n");
        Path program = Program.executable(artifact, folder.resolve("target"));
        assertTrue(Files.isExecutable(program));
        var made = Files.getLastModifiedTime(program);
        Program.executable(artifact, folder.resolve("target"));
        assertEquals(made, Files.getLastModifiedTime(program));
        Files.writeString(artifact, "#!/bin/sh\necho newer\n");
        Program.executable(artifact, folder.resolve("target"));
        assertEquals(-1, Files.mismatch(artifact, program));
    }
}
