package dev.tacho.gradle;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.gradle.api.artifacts.ComponentSelection;
import org.gradle.api.artifacts.ModuleVersionIdentifier;
import org.gradle.api.artifacts.ResolveException;
import org.gradle.api.artifacts.component.ModuleComponentIdentifier;
import org.gradle.api.internal.artifacts.DefaultModuleVersionIdentifier;
import org.gradle.internal.component.external.model.DefaultModuleComponentIdentifier;
import org.gradle.internal.resolve.ModuleVersionNotFoundException;
import org.gradle.internal.resolve.ModuleVersionResolveException;
import org.junit.jupiter.api.Test;

class BaselineTest {
    private static final ModuleComponentIdentifier GREETER =
            DefaultModuleComponentIdentifier.newId("example", "greeter", "1.0.0");

    private static ResolveException failed(Throwable cause) {
        return new ResolveException("configuration ':detachedConfiguration1'", cause);
    }

    private static ModuleVersionNotFoundException notFound() {
        ModuleVersionIdentifier id = DefaultModuleVersionIdentifier.newId("example", "greeter", "1.0.0");
        return new ModuleVersionNotFoundException(id, List.of("https://releases.example/greeter-1.0.0.pom"));
    }

    @Test
    void onlyWhatNoRepositoryHasIsAbsent() {
        assertTrue(Baseline.isAbsent(failed(notFound())));
        assertTrue(Baseline.isAbsent(failed(failed(notFound()))));
        assertFalse(Baseline.isAbsent(failed(new IOException("Received status code 401"))));
        // There is such a release, and something that it needs is not there.
        assertFalse(Baseline.isAbsent(failed(new ModuleVersionResolveException(GREETER, notFound()))));
    }

    @Test
    void whyItCouldNotBeFetchedIsSaidToItsEnd() {
        var unauthorized = new IOException("Received status code 401");
        var failure = failed(new ModuleVersionResolveException(GREETER, unauthorized));
        String reason = Baseline.reason(failure);
        assertTrue(reason.startsWith("Could not resolve example:greeter:1.0.0."), reason);
        assertTrue(reason.endsWith("Received status code 401"), reason);
    }

    @Test
    void aSnapshotIsNoRelease() {
        assertEquals(List.of(), rejected("1.1.0"));
        assertEquals(List.of("a snapshot is no release"), rejected("1.1.0-SNAPSHOT"));
    }

    private static List<String> rejected(String version) {
        List<String> reasons = new ArrayList<>();
        Baseline.rejectSnapshot(new ComponentSelection() {
            @Override
            public ModuleComponentIdentifier getCandidate() {
                return DefaultModuleComponentIdentifier.newId("example", "greeter", version);
            }

            @Override
            public void reject(String reason) {
                reasons.add(reason);
            }
        });
        return reasons;
    }
}
