package dev.tacho.maven;

import dev.tacho.build.CommandLine;
import dev.tacho.build.Outcome;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.inject.Inject;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.RepositorySystemSession;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/** What all goals have in common: the program, the artifact, the experiment. */
abstract class TachoMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    MavenProject project;

    @Parameter(defaultValue = "${executedProject}", readonly = true)
    MavenProject executed;

    @Parameter(defaultValue = "${repositorySystemSession}", readonly = true, required = true)
    RepositorySystemSession session;

    /** Where artifacts of the project come from. */
    @Parameter(defaultValue = "${project.remoteProjectRepositories}", readonly = true)
    List<RemoteRepository> repositories;

    /** And plugins, of which the program is a part. */
    @Parameter(defaultValue = "${project.remotePluginRepositories}", readonly = true)
    List<RemoteRepository> pluginRepositories;

    @Parameter(defaultValue = "${plugin.version}", readonly = true)
    String version;

    @Inject
    RepositorySystem system;

    /** A tacho program on this machine, to be used in place of the one from the repository. */
    @Parameter(property = "tacho.executable")
    File executable;

    /** The experiment. If none is named, and there is none, one is inferred from the artifact. */
    @Parameter(property = "tacho.experiment", defaultValue = "${project.basedir}/experiment.yaml")
    File experiment;

    /** Where run folders are made. */
    @Parameter(property = "tacho.runs", defaultValue = "${project.build.directory}/tacho/runs")
    File runs;

    /** Variants, by name or kind, separated by commas. */
    @Parameter(property = "tacho.variants")
    String variants;

    /** Launches of each variant. */
    @Parameter(property = "tacho.launches")
    String launches;

    /** Objectives, such as {@code p99<50ms} or {@code ready<2s}. */
    @Parameter(property = "tacho.checks")
    List<String> checks;

    /** A first look: shorter phases. */
    @Parameter(property = "tacho.quick", defaultValue = "false")
    boolean quick;

    /** Further arguments of the command, as it takes them. */
    @Parameter(property = "tacho.arguments")
    List<String> arguments;

    @Parameter(property = "tacho.skip", defaultValue = "false")
    boolean skip;

    /** The words of the command; absent: there is nothing to do. */
    abstract List<String> command() throws MojoExecutionException, MojoFailureException;

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("Tacho is skipped.");
            return;
        }
        if (project.getPackaging().equals("pom")) {
            getLog().info("A project of packaging pom has nothing to start.");
            return;
        }
        List<String> command = command();
        if (!command.isEmpty()) {
            tell(run(command));
        }
    }

    /** A failure is what was measured; everything else is an error. */
    static void tell(int code) throws MojoFailureException, MojoExecutionException {
        Outcome outcome = Outcome.of(code)
                .orElseThrow(() -> new MojoExecutionException(
                        "Tacho ended with exit code " + code + ", which it does not have"));
        switch (outcome.verdict()) {
            case GOOD -> {}
            case FAILURE -> throw new MojoFailureException(outcome.meaning());
            case ERROR -> throw new MojoExecutionException(outcome.meaning());
        }
    }

    /** {@code tacho run} of what was built. */
    List<String> measuring() throws MojoExecutionException {
        return new CommandLine("run")
                .word(subject())
                .option("--runs", runs)
                .option("--variants", variants)
                .option("--launches", launches)
                .each("--check", checks)
                .flag("--quick", quick)
                .further(arguments)
                .words();
    }

    /** What is measured: the file of the experiment, else what was built. */
    Path subject() throws MojoExecutionException {
        Optional<Path> file = experiment();
        return file.isPresent() ? file.get() : artifact();
    }

    /** The file of the experiment; empty if none is named and there is none by its usual name. */
    Optional<Path> experiment() throws MojoExecutionException {
        if (experiment != null && experiment.isFile()) {
            return Optional.of(experiment.toPath());
        }
        if (experiment != null && !same(experiment, new File(project.getBasedir(), "experiment.yaml"))) {
            throw new MojoExecutionException("there is no experiment " + experiment + ": correct <experiment> or"
                    + " -Dtacho.experiment, or leave it out to measure what was built");
        }
        return Optional.empty();
    }

    private static boolean same(File one, File other) {
        return one.toPath().toAbsolutePath().normalize().equals(other.toPath().toAbsolutePath().normalize());
    }

    /** What was built; of Spring Boot it is the repackaged jar. */
    Path artifact() throws MojoExecutionException {
        return built().getFile().toPath();
    }

    /** The same with its names in a repository. */
    org.apache.maven.artifact.Artifact built() throws MojoExecutionException {
        // A goal that has its project packaged first finds the artifact with that one.
        return Built.of(executed != null ? executed : project)
                .orElseThrow(() -> new MojoExecutionException(
                        "there is no artifact to measure: the phase `package` makes it (`mvn package tacho:run`)"));
    }

    Path resolved(Artifact wanted, List<RemoteRepository> from) throws MojoExecutionException {
        try {
            ArtifactRequest request = new ArtifactRequest(wanted, from, null);
            return system.resolveArtifact(session, request).getArtifact().getFile().toPath();
        } catch (ArtifactResolutionException error) {
            throw new MojoExecutionException(error.getMessage(), error);
        }
    }

    private int run(List<String> command) throws MojoExecutionException {
        List<String> words = new ArrayList<>();
        words.add(program().toString());
        words.addAll(command);
        getLog().info(String.join(" ", words));
        try {
            Files.createDirectories(runs.toPath());
            // Its summary and progress are for the terminal, as they are.
            return new ProcessBuilder(words).directory(project.getBasedir()).inheritIO().start().waitFor();
        } catch (IOException error) {
            throw new MojoExecutionException("cannot start " + words.get(0) + ": " + error.getMessage(), error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new MojoExecutionException("interrupted", error);
        }
    }

    private Path program() throws MojoExecutionException {
        if (executable != null) {
            return executable.toPath();
        }
        Path binary = resolved(Binary.artifact(version), pluginRepositories);
        return Binary.executable(binary, Path.of(project.getBuild().getDirectory(), "tacho"));
    }
}
