package dev.tacho.maven;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Optional;
import org.apache.maven.plugin.MojoExecutionException;
import org.eclipse.aether.metadata.DefaultMetadata;
import org.eclipse.aether.metadata.Metadata;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.VersionRangeRequest;
import org.eclipse.aether.resolution.VersionRangeResult;
import org.eclipse.aether.transfer.MetadataNotFoundException;
import org.eclipse.aether.transfer.MetadataTransferException;
import org.eclipse.aether.transfer.RepositoryOfflineException;
import org.eclipse.aether.util.version.GenericVersionScheme;
import org.junit.jupiter.api.Test;

class DiagnoseMojoTest {
    private static final Metadata VERSIONS = new DefaultMetadata(
            "example", "greeter", "maven-metadata.xml", Metadata.Nature.RELEASE_OR_SNAPSHOT);
    private static final RemoteRepository RELEASES =
            new RemoteRepository.Builder("releases", "default", "https://releases.example").build();
    private static final Exception UNAUTHORIZED =
            new MetadataTransferException(VERSIONS, RELEASES, "authentication failed, status: 401");

    private static VersionRangeResult found(String... versions) throws Exception {
        VersionRangeResult result = new VersionRangeResult(new VersionRangeRequest());
        for (String version : versions) {
            result.addVersion(new GenericVersionScheme().parseVersion(version));
        }
        return result;
    }

    private static void isNotTold(VersionRangeResult result, String why) {
        var error = assertThrows(MojoExecutionException.class, () -> DiagnoseMojo.lastOf(result));
        assertTrue(error.getMessage().contains(why), error.getMessage());
        assertTrue(error.getMessage().contains("-Dtacho.baseline"), error.getMessage());
    }

    @Test
    void theLastReleaseCountsAlthoughOneRepositoryCouldNotBeAsked() throws Exception {
        assertEquals(
                Optional.of("1.0.0"),
                DiagnoseMojo.lastOf(found("0.9.0", "1.0.0", "1.1.0-SNAPSHOT").addException(UNAUTHORIZED)));
    }

    @Test
    void thereIsNoneWhereEveryRepositorySaysSo() throws Exception {
        var notFound = new MetadataNotFoundException(VERSIONS, RELEASES);
        assertEquals(Optional.empty(), DiagnoseMojo.lastOf(found().addException(notFound)));
    }

    @Test
    void aRepositoryThatCouldNotBeAskedIsAnError() throws Exception {
        var notFound = new MetadataNotFoundException(VERSIONS, RELEASES);
        isNotTold(found().addException(notFound).addException(UNAUTHORIZED), "status: 401");
        isNotTold(found("1.0.0-SNAPSHOT").addException(UNAUTHORIZED), "status: 401");
        var offline = new RepositoryOfflineException(RELEASES);
        isNotTold(
                found().addException(new MetadataNotFoundException(VERSIONS, RELEASES, "offline mode", offline)),
                "offline mode");
    }
}
