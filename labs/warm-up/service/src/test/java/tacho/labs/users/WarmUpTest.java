package tacho.labs.users;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIf;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.util.ClassUtils;

/** The service as a process of its own, with the starter. */
@EnabledIf(value = "isStarterThere", disabledReason = "without the starter (mvn -P with-starter)")
class WarmUpTest {

    private static final String WARMING = "Warming up with 1 kinds of request";

    @TempDir
    private Path folder;

    static boolean isStarterThere() {
        return ClassUtils.isPresent("dev.tacho.warmup.autoconfigure.WarmUpAutoConfiguration", null);
    }

    @Test
    void itWarmsItselfBeforeItIsReadyWhenToldByTheEnvironment() throws Exception {
        UntilReady seen = untilReady(Map.of("TACHO_WARMUP_ENABLED", "true"));
        assertThat(seen.readiness()).containsExactly(503, 200);
        assertThat(seen.liveness()).containsExactly(200);
        assertThat(seen.log()).contains(WARMING).doesNotContain("Registered");
    }

    @Test
    void otherwiseItDoesNot() throws Exception {
        assertThat(untilReady(Map.of()).log()).contains("Started UsersApplication").doesNotContain(WARMING);
    }

    private UntilReady untilReady(Map<String, String> environment) throws Exception {
        return UntilReady.watched(folder, environment, "--tacho.warmup.at-least=1000", "--tacho.warmup.at-most=1000");
    }
}
