package dev.tacho.maven;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Locale;
import org.apache.maven.plugin.MojoExecutionException;
import org.eclipse.aether.artifact.DefaultArtifact;

/** The program itself, as an artifact of its own for each system: no other install is needed. */
final class Binary {
    private static final String GROUP = "dev.tacho";
    private static final String ARTIFACT = "tacho-cli";
    private static final String EXTENSION = "exe";

    private Binary() {}

    static DefaultArtifact artifact(String version) throws MojoExecutionException {
        String classifier = classifier(System.getProperty("os.name"), System.getProperty("os.arch"));
        return new DefaultArtifact(GROUP, ARTIFACT, classifier, EXTENSION, version);
    }

    /** Tacho measures on Linux, whose control groups and /proc it reads. */
    static String classifier(String system, String processor) throws MojoExecutionException {
        if (!system.toLowerCase(Locale.ROOT).startsWith("linux")) {
            throw new MojoExecutionException("Tacho runs on Linux, and this is " + system
                    + ": run the goal in a Linux build, or name a program by -Dtacho.executable");
        }
        return switch (processor) {
            case "amd64", "x86_64" -> "linux-x86_64";
            case "aarch64", "arm64" -> "linux-aarch64";
            default -> throw new MojoExecutionException(
                    "there is no Tacho for " + processor + "; name a program by -Dtacho.executable");
        };
    }

    /** Files of a repository are not executable. */
    static Path executable(Path artifact, Path folder) throws MojoExecutionException {
        Path program = folder.resolve("tacho");
        try {
            Files.createDirectories(folder);
            if (!Files.exists(program) || Files.mismatch(artifact, program) != -1) {
                // Under another name first: a program that runs cannot be written to.
                Path made = Files.createTempFile(folder, "tacho", ".part");
                Files.copy(artifact, made, StandardCopyOption.REPLACE_EXISTING);
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rwxr-xr-x"));
                Files.move(made, program, StandardCopyOption.ATOMIC_MOVE);
            }
            return program;
        } catch (IOException error) {
            throw new MojoExecutionException("cannot write " + program + ": " + error.getMessage(), error);
        }
    }
}
