package dev.tacho.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DefaultArtifact;
import org.apache.maven.artifact.handler.DefaultArtifactHandler;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BuiltTest {
    @TempDir
    Path folder;

    private Artifact jar(String classifier, boolean isRepackaged) throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        if (isRepackaged) {
            manifest.getMainAttributes().putValue("Start-Class", "example.Greeter");
        }
        Path file = folder.resolve("greeter" + (classifier == null ? "" : "-" + classifier) + ".jar");
        new JarOutputStream(Files.newOutputStream(file), manifest).close();
        Artifact artifact = artifact(classifier);
        artifact.setFile(file.toFile());
        return artifact;
    }

    private static Artifact artifact(String classifier) {
        return new DefaultArtifact(
                "example", "greeter", "1.0.0", "compile", "jar", classifier, new DefaultArtifactHandler("jar"));
    }

    private static MavenProject project(Artifact own, Artifact... attached) {
        MavenProject project = new MavenProject();
        project.setArtifact(own);
        for (Artifact artifact : attached) {
            project.addAttachedArtifact(artifact);
        }
        return project;
    }

    @Test
    void aRepackagedJarUnderAClassifierIsTheOneThatIsStarted() throws Exception {
        Artifact sources = jar("sources", false);
        Artifact exec = jar("exec", true);
        assertEquals(Optional.of(exec), Built.of(project(jar(null, false), sources, exec)));
    }

    @Test
    void elseItIsTheOneOfTheProject() throws Exception {
        Artifact plain = jar(null, false);
        assertEquals(Optional.of(plain), Built.of(project(plain, jar("sources", false))));
        Artifact repackaged = jar(null, true);
        assertEquals(Optional.of(repackaged), Built.of(project(repackaged, jar("exec", true))));
    }

    @Test
    void whatWasNotMadeIsNone() {
        assertEquals(Optional.empty(), Built.of(project(artifact(null))));
    }
}
