package dev.tacho.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.project.MavenProject;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExperimentTest {
    @TempDir
    Path folder;

    private <M extends TachoMojo> M at(M mojo, String experiment) {
        mojo.project = new MavenProject();
        mojo.project.setFile(folder.resolve("pom.xml").toFile());
        mojo.experiment = folder.resolve(experiment).toFile();
        return mojo;
    }

    @Test
    void oneThatIsNamedHasToBeThere() throws Exception {
        String missing = "there is no experiment " + folder.resolve("bench.yml");
        for (TachoMojo mojo : List.of(new RunMojo(), new CheckMojo(), new DiagnoseMojo(), new WarmUpMojo())) {
            mojo.checks = List.of("p99<50ms");
            var error = assertThrows(MojoExecutionException.class, at(mojo, "bench.yml")::command);
            assertTrue(error.getMessage().contains(missing), error.getMessage());
        }
        Path made = Files.writeString(folder.resolve("bench.yml"), "");
        assertEquals(made, at(new RunMojo(), "bench.yml").subject());
    }

    @Test
    void theUsualOneIsTakenIfItIsThere() throws Exception {
        assertEquals(Optional.empty(), at(new RunMojo(), "experiment.yaml").experiment());
        Path made = Files.writeString(folder.resolve("experiment.yaml"), "");
        assertEquals(Optional.of(made), at(new RunMojo(), "experiment.yaml").experiment());
    }
}
