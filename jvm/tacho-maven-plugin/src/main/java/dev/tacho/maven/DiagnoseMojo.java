package dev.tacho.maven;

import dev.tacho.build.CommandLine;
import dev.tacho.build.Releases;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugins.annotations.Execute;
import org.apache.maven.plugins.annotations.LifecyclePhase;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.resolution.VersionRangeRequest;
import org.eclipse.aether.resolution.VersionRangeResolutionException;
import org.eclipse.aether.resolution.VersionRangeResult;
import org.eclipse.aether.transfer.MetadataNotFoundException;
import org.eclipse.aether.transfer.RepositoryOfflineException;
import org.eclipse.aether.version.Version;

/** Packages the project and looks for what costs more than in the last release. */
@Mojo(name = "diagnose")
@Execute(phase = LifecyclePhase.PACKAGE)
public class DiagnoseMojo extends TachoMojo {
    /** The release to compare with; else the last one before this version. */
    @Parameter(property = "tacho.baseline")
    String baseline;

    /** Findings for a code review. */
    @Parameter(property = "tacho.sarif")
    String sarif;

    @Override
    List<String> command() throws MojoExecutionException {
        Optional<Path> file = experiment();
        Optional<String> release = baseline != null ? Optional.of(baseline) : lastRelease();
        if (release.isEmpty()) {
            getLog().warn("No release of " + project.getArtifactId() + " before " + project.getVersion()
                    + " is in the repositories: there is nothing to compare with. Name one by -Dtacho.baseline.");
            return List.of();
        }
        Path older = resolved(artifactOf(release.get()), repositories);
        getLog().info("The baseline is " + release.get() + ".");
        CommandLine command = new CommandLine("diagnose")
                .option("--baseline", older)
                .option("--candidate", artifact());
        file.ifPresent(command::word);
        return command.option("--runs", runs)
                .option("--sarif", sarif)
                .option("--launches", launches)
                .further(arguments)
                .words();
    }

    private Artifact artifactOf(String version) throws MojoExecutionException {
        org.apache.maven.artifact.Artifact own = built();
        return new DefaultArtifact(
                own.getGroupId(),
                own.getArtifactId(),
                own.getClassifier(),
                own.getArtifactHandler().getExtension(),
                version);
    }

    private Optional<String> lastRelease() throws MojoExecutionException {
        try {
            Artifact before = artifactOf(Releases.before(project.getVersion()));
            VersionRangeRequest request = new VersionRangeRequest(before, repositories, null);
            return lastOf(system.resolveVersionRange(session, request));
        } catch (VersionRangeResolutionException error) {
            throw new MojoExecutionException(error.getMessage(), error);
        }
    }

    /** Where a repository could not be asked Maven does not fail, but records it here. */
    static Optional<String> lastOf(VersionRangeResult result) throws MojoExecutionException {
        Optional<String> last = Releases.last(
                result.getVersions().stream().map(Version::toString).toList());
        Optional<Exception> notAsked = result.getExceptions().stream()
                .filter(exception -> !saysThatThereIsNone(exception))
                .findFirst();
        if (last.isEmpty() && notAsked.isPresent()) {
            throw new MojoExecutionException(
                    "the last release could not be looked for: " + notAsked.get().getMessage()
                            + ". Name one by -Dtacho.baseline",
                    notAsked.get());
        }
        return last;
    }

    /** For a repository that is not asked, since Maven is offline, it is the same exception. */
    private static boolean saysThatThereIsNone(Exception exception) {
        return exception instanceof MetadataNotFoundException
                && !(exception.getCause() instanceof RepositoryOfflineException);
    }
}
