package dev.tacho.maven;

import java.util.List;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;

/** Measures in the phase `verify`; the build fails when a check does not hold. */
@Mojo(name = "check", defaultPhase = LifecyclePhase.VERIFY)
public class CheckMojo extends TachoMojo {
    @Override
    List<String> command() throws MojoExecutionException {
        if (experiment().isEmpty() && (checks == null || checks.isEmpty())) {
            throw new MojoExecutionException(
                    "nothing is checked: say what by <checks><check>p99&lt;50ms</check></checks>, or in experiment.yaml");
        }
        return measuring();
    }
}
