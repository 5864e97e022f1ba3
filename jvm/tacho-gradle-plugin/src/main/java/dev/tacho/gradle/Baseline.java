package dev.tacho.gradle;

import dev.tacho.build.Releases;
import java.io.File;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Optional;
import java.util.Set;
import org.gradle.api.GradleException;
import org.gradle.api.Project;
import org.gradle.api.artifacts.ComponentSelection;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.artifacts.Dependency;
import org.gradle.api.artifacts.ModuleDependency;
import org.gradle.api.artifacts.ResolveException;

/** The release that a build is compared with, as Gradle resolves it. */
final class Baseline {
    /** Thrown where there is no such module or version; a class of Gradle's own, so by its name. */
    private static final String ABSENT = "org.gradle.internal.resolve.ModuleVersionNotFoundException";

    private Baseline() {}

    /** Its artifact. Empty: none was named, and there is no release before this version. */
    static Optional<File> artifact(Project project, Object named) {
        Object own = project.getGroup();
        String version = named != null ? named.toString() : Releases.before(project.getVersion().toString());
        String wanted = own + ":" + project.getName() + ":" + version;
        Dependency dependency = project.getDependencies().create(wanted);
        ((ModuleDependency) dependency).setTransitive(false);
        Configuration resolved = project.getConfigurations().detachedConfiguration(dependency);
        if (named == null) {
            resolved.getResolutionStrategy().componentSelection(rules -> rules.all(Baseline::rejectSnapshot));
        }
        // Gradle would take this very project for its newest release. So its group is changed while
        // the release is resolved.
        project.setGroup("tacho.baseline." + own);
        try {
            Iterator<File> files = resolved.resolve().iterator();
            if (!files.hasNext()) {
                throw new GradleException(wanted + " has no artifact to compare with. Name another by -Ptacho.baseline.");
            }
            return Optional.of(files.next());
        } catch (ResolveException failure) {
            if (named == null && isAbsent(failure)) {
                project.getLogger().info("no release", failure);
                return Optional.empty();
            }
            throw new GradleException("the baseline " + wanted + " could not be fetched: " + reason(failure), failure);
        } finally {
            project.setGroup(own);
        }
    }

    static void rejectSnapshot(ComponentSelection selection) {
        if (Releases.isSnapshot(selection.getCandidate().getVersion())) {
            selection.reject("a snapshot is no release");
        }
    }

    /** Every repository was asked, and none has it. */
    static boolean isAbsent(ResolveException failure) {
        Throwable cause = first(failure);
        return cause != null && cause.getClass().getName().equals(ABSENT);
    }

    /** What Gradle says of the release, without its words of a configuration that nobody knows. */
    static String reason(ResolveException failure) {
        Set<String> said = new LinkedHashSet<>();
        for (Throwable cause = first(failure); cause != null; cause = cause.getCause()) {
            said.add(String.valueOf(cause.getMessage()));
        }
        return said.isEmpty() ? failure.getMessage() : String.join("\n", said);
    }

    private static Throwable first(ResolveException failure) {
        Throwable cause = failure;
        while (cause instanceof ResolveException) {
            cause = cause.getCause();
        }
        return cause;
    }
}
