package dev.tacho.gradle;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import org.gradle.api.Project;

/** The settings: properties of this one build count before the extension in the build file. */
final class Settings {
    private final Project project;
    private final TachoExtension said;

    Settings(Project project, TachoExtension said) {
        this.project = project;
        this.said = said;
    }

    /** {@code -Ptacho.NAME}, else what the build file says. */
    private Object of(String name, Object otherwise) {
        Object property = project.findProperty("tacho." + name);
        return property != null ? property : otherwise;
    }

    private List<String> all(String name, List<String> otherwise) {
        Object property = project.findProperty("tacho." + name);
        return property != null ? Arrays.asList(property.toString().split(",")) : otherwise;
    }

    private File file(String name, Object otherwise) {
        Object path = of(name, otherwise);
        return path != null ? project.file(path) : null;
    }

    /** Null where none is named and there is none by its usual name. */
    File experiment() {
        return taken(file("experiment", said.getExperiment()), project.file(TachoExtension.EXPERIMENT));
    }

    /** One that is named is taken although it is not there, so that its task says so. */
    static File taken(File experiment, File usual) {
        return experiment == null || experiment.equals(usual) && !usual.isFile() ? null : experiment;
    }

    File executable() {
        return file("executable", said.getExecutable());
    }

    File folder() {
        return new File(project.getBuildDir(), "tacho");
    }

    File runs() {
        File runs = file("runs", said.getRuns());
        return runs != null ? runs : new File(folder(), "runs");
    }

    File sarif() {
        return file("sarif", said.getSarif());
    }

    Object baseline() {
        return of("baseline", said.getBaseline());
    }

    Object variants() {
        return of("variants", said.getVariants());
    }

    Object launches() {
        return of("launches", said.getLaunches());
    }

    Object rate() {
        return of("rate", said.getRate());
    }

    Object objective() {
        return of("objective", said.getObjective());
    }

    Object emit() {
        return of("emit", said.getEmit());
    }

    boolean quick() {
        return Boolean.parseBoolean(of("quick", said.isQuick()).toString());
    }

    List<String> checks() {
        return all("checks", said.getChecks());
    }

    List<String> arguments() {
        return all("arguments", said.getArguments());
    }
}
