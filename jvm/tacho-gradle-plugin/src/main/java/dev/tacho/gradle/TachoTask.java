package dev.tacho.gradle;

import dev.tacho.build.Outcome;
import dev.tacho.build.Outcome.Verdict;
import dev.tacho.build.Program;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.FileCollection;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.TaskAction;

/** One command of the program on what was built. */
public class TachoTask extends DefaultTask {
    private String command;
    private List<String> options = List.of();
    private FileCollection program;
    private FileCollection artifact;
    private File executable;
    private File experiment;
    private File baseline;
    private File folder;
    private File directory;
    private String nothing;

    @TaskAction
    public void carryOut() {
        if (nothing != null) {
            throw new GradleException(nothing);
        }
        // Looked for only now: another task of the build may have made it.
        if (experiment != null && !experiment.isFile()) {
            throw new GradleException("there is no experiment " + experiment + ": correct -Ptacho.experiment, or"
                    + " experiment in tacho { ... }, or leave it out to measure what was built");
        }
        List<String> words = words();
        if (words.isEmpty()) {
            return;
        }
        getLogger().info(String.join(" ", words));
        int code = run(words);
        Outcome outcome = Outcome.of(code)
                .orElseThrow(() -> new GradleException("Tacho ended with exit code " + code + ", which it does not have"));
        if (outcome.verdict() != Verdict.GOOD) {
            throw new GradleException(outcome.meaning());
        }
    }

    /** Empty: there is nothing to do, which was said. */
    private List<String> words() {
        List<String> words = new ArrayList<>();
        words.add(program().toString());
        words.add(command);
        if (command.equals("diagnose")) {
            if (baseline == null) {
                getLogger().warn("No release before this version is in the repositories: there is nothing to compare"
                        + " with. Name one by -Ptacho.baseline.");
                return List.of();
            }
            words.addAll(List.of("--baseline", baseline.toString(), "--candidate", built().toString()));
            if (experiment != null) {
                words.add(experiment.toString());
            }
        } else {
            words.add((experiment != null ? experiment : built()).toString());
        }
        words.addAll(options);
        return words;
    }

    private File built() {
        if (artifact == null || artifact.isEmpty()) {
            throw new GradleException(
                    "there is no artifact to measure: none of the tasks bootJar, bootWar, shadowJar, war and jar makes one");
        }
        return artifact.getSingleFile();
    }

    private Path program() {
        if (executable != null) {
            return executable.toPath();
        }
        if (program.isEmpty()) {
            throw new GradleException(Program.missing() + ", or name a program by -Ptacho.executable");
        }
        try {
            return Program.executable(program.getSingleFile().toPath(), folder.toPath());
        } catch (IOException error) {
            throw new GradleException("cannot make a program in " + folder + ": " + error.getMessage(), error);
        }
    }

    private int run(List<String> words) {
        try {
            // A build runs in a daemon, which has no terminal: its words go through the logger.
            return Carried.out(new ProcessBuilder(words).directory(directory), line -> getLogger().lifecycle(line));
        } catch (IOException error) {
            throw new GradleException("cannot start " + words.get(0) + ": " + error.getMessage(), error);
        } catch (InterruptedException error) {
            Thread.currentThread().interrupt();
            throw new GradleException("interrupted", error);
        }
    }

    @Internal
    public String getCommand() {
        return command;
    }

    void setCommand(String command) {
        this.command = command;
    }

    @Internal
    public List<String> getOptions() {
        return options;
    }

    void setOptions(List<String> options) {
        this.options = options;
    }

    void setProgram(FileCollection program) {
        this.program = program;
    }

    void setArtifact(FileCollection artifact) {
        this.artifact = artifact;
    }

    void setExecutable(File executable) {
        this.executable = executable;
    }

    void setExperiment(File experiment) {
        this.experiment = experiment;
    }

    void setBaseline(File baseline) {
        this.baseline = baseline;
    }

    void setFolder(File folder) {
        this.folder = folder;
    }

    void setDirectory(File directory) {
        this.directory = directory;
    }

    /** Why the task cannot run: it fails with this text. */
    void setNothing(String nothing) {
        this.nothing = nothing;
    }
}
