package tacho.labs.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.ClassUtils;

/** The service as a process of its own, with the runner, as on Kubernetes. */
@EnabledIf(value = "isRunnerThere", disabledReason = "without the runner (mvn -P with-runner)")
class RunnerTest {

    private static final String WARMED = "Warmed by 1000 registrations of its own";

    @TempDir
    private Path folder;

    static boolean isRunnerThere() {
        return ClassUtils.isPresent("tacho.labs.users.WarmUpRunner", null);
    }

    @Test
    void itRegistersDummiesWithItselfBeforeItIsReady() throws Exception {
        UntilReady seen = untilReady(Map.of("WARMUP_COUNT", "1000"));
        assertThat(seen.readiness()).containsExactly(503, 200);
        assertThat(seen.liveness()).as("slow to become ready is not dead").containsExactly(200);
        assertThat(seen.log()).contains(WARMED).doesNotContain("Registered");
    }

    @Test
    void usersThatAreNoDummiesAreWrittenEachOnce() throws Exception {
        UntilReady seen = untilReady(Map.of("WARMUP_COUNT", "1000", "WARMUP_DUMMIES", "false"));
        assertThat(seen.log()).contains(WARMED);
        assertThat(seen.log().lines().filter(line -> line.contains("Registered First "))).hasSize(1000);
    }

    @Test
    void itDoesNothingUnlessTold() throws Exception {
        UntilReady seen = untilReady(Map.of());
        assertThat(seen.log()).contains("Started UsersApplication").doesNotContain("Warmed by").doesNotContain("Registered");
    }

    private UntilReady untilReady(Map<String, String> environment) throws Exception {
        return UntilReady.watched(folder, environment, "--spring.main.cloud-platform=kubernetes");
    }
}
