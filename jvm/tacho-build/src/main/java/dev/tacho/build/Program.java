package dev.tacho.build;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import java.util.Optional;

/** The program itself, as an artifact of its own for each system: no other install is needed. */
public final class Program {
    public static final String GROUP = "dev.tacho";
    public static final String ARTIFACT = "tacho-cli";
    public static final String EXTENSION = "exe";

    private Program() {}

    /** Its classifier on this machine; empty where there is none. */
    public static Optional<String> classifier() {
        return classifier(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    /** Tacho measures on Linux, whose control groups and /proc it reads. */
    static Optional<String> classifier(String system, String processor) {
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            return Optional.empty();
        }
        return switch (processor) {
            case "amd64", "x86_64" -> Optional.of("linux-x86_64");
            case "aarch64", "arm64" -> Optional.of("linux-aarch64");
            default -> Optional.empty();
        };
    }

    /** Why there is none for this machine. */
    public static String missing() {
        return "there is no Tacho for " + System.getProperty("os.name") + " on " + System.getProperty("os.arch")
                + ": build on Linux (x86-64, arm64)";
    }

    /** Files of a repository are not executable. */
    public static Path executable(Path artifact, Path folder) throws IOException {
        Path program = folder.resolve("tacho");
        Files.createDirectories(folder);
        if (!Files.exists(program) || Files.mismatch(artifact, program) != -1) {
            // Under another name first: a program that runs cannot be written to.
            Path made = Files.createTempFile(folder, "tacho", ".part");
            Files.copy(artifact, made, StandardCopyOption.REPLACE_EXISTING);
            Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
        }
        return program;
    }
}
