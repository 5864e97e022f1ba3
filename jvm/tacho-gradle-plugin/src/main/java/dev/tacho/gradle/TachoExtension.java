package dev.tacho.gradle;

import java.util.ArrayList;
import java.util.List;

/**
 * What a build says in {@code tacho { ... }}. Each can also be said for one build, by a property of
 * the same name: {@code -Ptacho.rate=200}. Files are anything that {@code project.file} takes.
 */
public class TachoExtension {
    static final String EXPERIMENT = "experiment.yaml";

    private Object experiment = EXPERIMENT;
    private Object executable;
    private Object runs;
    private Object sarif;
    private Object baseline;
    private Object variants;
    private Object launches;
    private Object rate;
    private Object objective;
    private Object emit;
    private boolean quick;
    private List<String> checks = new ArrayList<>();
    private List<String> arguments = new ArrayList<>();

    /** The experiment. If none is named, and there is none, one is inferred from the artifact. */
    public Object getExperiment() {
        return experiment;
    }

    public void setExperiment(Object experiment) {
        this.experiment = experiment;
    }

    /** A tacho program on this machine, to be used in place of the one from the repository. */
    public Object getExecutable() {
        return executable;
    }

    public void setExecutable(Object executable) {
        this.executable = executable;
    }

    /** Where run folders are made: {@code build/tacho/runs}. */
    public Object getRuns() {
        return runs;
    }

    public void setRuns(Object runs) {
        this.runs = runs;
    }

    /** Findings of {@code tachoDiagnose} for a code review. */
    public Object getSarif() {
        return sarif;
    }

    public void setSarif(Object sarif) {
        this.sarif = sarif;
    }

    /** The release that {@code tachoDiagnose} compares with; else the last one before this. */
    public Object getBaseline() {
        return baseline;
    }

    public void setBaseline(Object baseline) {
        this.baseline = baseline;
    }

    /** Variants, by name or kind, separated by commas. */
    public Object getVariants() {
        return variants;
    }

    public void setVariants(Object variants) {
        this.variants = variants;
    }

    /** Launches of each variant. */
    public Object getLaunches() {
        return launches;
    }

    public void setLaunches(Object launches) {
        this.launches = launches;
    }

    /** Users' requests a second, of {@code tachoWarmup}. */
    public Object getRate() {
        return rate;
    }

    public void setRate(Object rate) {
        this.rate = rate;
    }

    /** How long a user may wait to be served well, of {@code tachoWarmup}. */
    public Object getObjective() {
        return objective;
    }

    public void setObjective(Object objective) {
        this.objective = objective;
    }

    /** Also written by {@code tachoWarmup}: kubernetes, kustomize, helm. */
    public Object getEmit() {
        return emit;
    }

    public void setEmit(Object emit) {
        this.emit = emit;
    }

    /** A first look: shorter phases. */
    public boolean isQuick() {
        return quick;
    }

    public void setQuick(boolean quick) {
        this.quick = quick;
    }

    /** Objectives, such as {@code p99<50ms} or {@code ready<2s}. */
    public List<String> getChecks() {
        return checks;
    }

    public void setChecks(List<String> checks) {
        this.checks = checks;
    }

    /** Further arguments of the command, as it takes them. */
    public List<String> getArguments() {
        return arguments;
    }

    public void setArguments(List<String> arguments) {
        this.arguments = arguments;
    }
}
