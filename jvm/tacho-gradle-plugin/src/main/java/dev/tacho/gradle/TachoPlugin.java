package dev.tacho.gradle;

import dev.tacho.build.CommandLine;
import dev.tacho.build.Program;
import java.util.List;
import org.gradle.api.GradleException;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.Task;
import org.gradle.api.artifacts.Configuration;

/**
 * Tasks that measure what a build has made: {@code tachoRun}, {@code tachoCheck} (a part of
 * {@code check} where there is something to check), {@code tachoDiagnose}, {@code tachoWarmup}.
 */
public class TachoPlugin implements Plugin<Project> {
    private static final String GROUP = "tacho";
    private static final String VERSION = "0.1.0";
    /** Tasks that make an artifact. The first of them that the project has is measured. */
    private static final List<String> MAKING = List.of("bootJar", "bootWar", "shadowJar", "war", "jar");

    @Override
    public void apply(Project project) {
        TachoExtension said = project.getExtensions().create("tacho", TachoExtension.class);
        Configuration program = program(project);
        TachoTask run = task(project, "tachoRun", "Measures what was built: tacho run.");
        TachoTask check = task(project, "tachoCheck", "Fails the build when the artifact misses an objective.");
        TachoTask diagnose = task(project, "tachoDiagnose", "What costs more than in the last release, and why.");
        TachoTask warmup = task(project, "tachoWarmup", "How warm the service has to be before it takes traffic.");
        // What a build says stands there when all of it was read.
        project.afterEvaluate(evaluated -> {
            Settings settings = new Settings(project, said);
            for (TachoTask task : List.of(run, check, diagnose, warmup)) {
                task.setProgram(program);
                task.setExecutable(settings.executable());
                task.setFolder(settings.folder());
                task.setDirectory(project.getProjectDir());
                made(project, task);
                task.setExperiment(settings.experiment());
            }
            measures(run, settings);
            checks(project, check, settings);
            warms(warmup, settings);
            diagnoses(project, diagnose, settings);
        });
    }

    private static TachoTask task(Project project, String name, String description) {
        TachoTask task = project.getTasks().create(name, TachoTask.class);
        task.setGroup(GROUP);
        task.setDescription(description);
        // Measured anew whenever it is asked for.
        task.getOutputs().upToDateWhen(it -> false);
        return task;
    }

    /** Where the program comes from unless one is named. */
    private static Configuration program(Project project) {
        Configuration program = project.getConfigurations().create("tacho");
        program.setVisible(false);
        program.setDescription("The program that measures.");
        Program.classifier().ifPresent(classifier -> program.defaultDependencies(dependencies -> dependencies.add(
                project.getDependencies()
                        .create(Program.GROUP + ":" + Program.ARTIFACT + ":" + VERSION + ":" + classifier + "@"
                                + Program.EXTENSION))));
        return program;
    }

    /** What is measured is made before. */
    private static void made(Project project, TachoTask task) {
        for (String name : MAKING) {
            Task making = project.getTasks().findByName(name);
            if (making != null && making.getEnabled()) {
                task.dependsOn(making);
                task.setArtifact(making.getOutputs().getFiles());
                return;
            }
        }
    }

    private static void measures(TachoTask task, Settings settings) {
        task.setCommand("run");
        task.setOptions(options(settings)
                .each("--check", settings.checks())
                .flag("--quick", settings.quick())
                .further(settings.arguments())
                .words());
    }

    private static void checks(Project project, TachoTask task, Settings settings) {
        measures(task, settings);
        boolean isSaid = settings.experiment() != null || !settings.checks().isEmpty();
        Task check = project.getTasks().findByName("check");
        if (isSaid && check != null) {
            check.dependsOn(task);
        }
        if (!isSaid) {
            task.setNothing("nothing is checked: say what by tacho { checks = ['p99<50ms'] }, or in experiment.yaml");
        }
    }

    private static void warms(TachoTask task, Settings settings) {
        task.setCommand("warmup");
        task.setOptions(options(settings)
                .option("--rate", settings.rate())
                .option("--objective", settings.objective())
                .option("--emit", settings.emit())
                .each("--check", settings.checks())
                .flag("--quick", settings.quick())
                .further(settings.arguments())
                .words());
    }

    private static void diagnoses(Project project, TachoTask task, Settings settings) {
        task.setCommand("diagnose");
        task.setOptions(CommandLine.options()
                .option("--runs", settings.runs())
                .option("--sarif", settings.sarif())
                .option("--launches", settings.launches())
                .further(settings.arguments())
                .words());
        // Its last release is asked for where it is wanted, and not in each build.
        project.getGradle().getTaskGraph().whenReady(graph -> {
            if (graph.hasTask(task)) {
                baseline(project, task, settings.baseline());
            }
        });
    }

    /** Where it cannot be had the task fails, and not all else of the build. */
    private static void baseline(Project project, TachoTask task, Object named) {
        try {
            task.setBaseline(Baseline.artifact(project, named).orElse(null));
        } catch (GradleException failure) {
            project.getLogger().info("no baseline", failure);
            task.setNothing(failure.getMessage());
        }
    }

    /** What stands behind the subject of most commands. */
    private static CommandLine options(Settings settings) {
        return CommandLine.options()
                .option("--runs", settings.runs())
                .option("--variants", settings.variants())
                .option("--launches", settings.launches());
    }
}
