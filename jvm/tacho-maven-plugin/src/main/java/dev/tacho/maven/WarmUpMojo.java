package dev.tacho.maven;

import dev.tacho.build.CommandLine;
import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;

/** How warm it has to be before it takes traffic: `tacho warmup`. */
@Mojo(name = "warmup")
@Execute(phase = LifecyclePhase.PACKAGE)
public class WarmUpMojo extends TachoMojo {
    /** Users' requests a second; else the phases of the experiment. */
    @Parameter(property = "tacho.rate")
    String rate;

    /** How long a user may wait to be served well. */
    @Parameter(property = "tacho.objective")
    String objective;

    /** Also written into the run folder: kubernetes, kustomize, helm. */
    @Parameter(property = "tacho.emit")
    String emit;

    @Override
    List<String> command() throws MojoExecutionException {
        return new CommandLine("warmup")
                .word(subject())
                .option("--runs", runs)
                .option("--variants", variants)
                .option("--launches", launches)
                .option("--rate", rate)
                .option("--objective", objective)
                .option("--emit", emit)
                .each("--check", checks)
                .flag("--quick", quick)
                .further(arguments)
                .words();
    }
}
