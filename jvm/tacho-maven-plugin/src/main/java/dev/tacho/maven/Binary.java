package dev.tacho.maven;

import dev.tacho.build.Program;
import java.io.IOException;
import java.nio.file.Path;
import org.apache.maven.plugin.MojoExecutionException;
import org.eclipse.aether.artifact.DefaultArtifact;

/** The program as Maven resolves it. */
final class Binary {
    private Binary() {}

    static DefaultArtifact artifact(String version) throws MojoExecutionException {
        String classifier = Program.classifier()
                .orElseThrow(() ->
                        new MojoExecutionException(Program.missing() + ", or name a program by -Dtacho.executable"));
        return new DefaultArtifact(Program.GROUP, Program.ARTIFACT, classifier, Program.EXTENSION, version);
    }

    static Path executable(Path artifact, Path folder) throws MojoExecutionException {
        try {
            return Program.executable(artifact, folder);
        } catch (IOException error) {
            throw new MojoExecutionException(
                    "cannot make " + artifact + " a program in " + folder + ": " + error.getMessage(), error);
        }
    }
}
