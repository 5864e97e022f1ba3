package dev.tacho.maven;

import java.io.File;
import java.io.IOException;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.project.MavenProject;

/** What a build made that can be started. */
final class Built {
    /** Spring Boot's plugin writes it into what it repackages. */
    private static final String START_CLASS = "Start-Class";

    private Built() {}

    /**
     * The project's artifact. With a {@code <classifier>} Spring Boot leaves that one plain and
     * attaches the repackaged one, which is the one that is deployed. Empty where nothing was made.
     */
    static Optional<Artifact> of(MavenProject packaged) {
        Artifact own = packaged.getArtifact();
        Stream<Artifact> attached = packaged.getAttachedArtifacts().stream()
                .filter(artifact -> extension(artifact).equals(extension(own)));
        return Stream.concat(Stream.of(own), attached)
                .filter(Built::isRepackaged)
                .findFirst()
                .or(() -> Optional.of(own))
                .filter(Built::isMade);
    }

    private static String extension(Artifact artifact) {
        return artifact.getArtifactHandler().getExtension();
    }

    private static boolean isMade(Artifact artifact) {
        File file = artifact.getFile();
        return file != null && file.isFile();
    }

    private static boolean isRepackaged(Artifact artifact) {
        if (!isMade(artifact)) {
            return false;
        }
        try (JarFile jar = new JarFile(artifact.getFile())) {
            Manifest manifest = jar.getManifest();
            return manifest != null
                    && manifest.getMainAttributes().containsKey(new Attributes.Name(START_CLASS));
        } catch (IOException notAJar) {
            return false;
        }
    }
}
