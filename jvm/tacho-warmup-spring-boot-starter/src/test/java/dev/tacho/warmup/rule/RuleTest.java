package dev.tacho.warmup.rule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RuleTest {

    /** Says the least of a JVM with these flags. */
    public static final class Least {

        private Least() {
        }

        public static void main(String[] words) {
            System.out.println(Rule.leastOfThisJvm());
        }
    }

    private static String leastWith(String... flags) throws IOException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(List.of(flags));
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), Least.class.getName()));
        Process jvm = new ProcessBuilder(command).redirectErrorStream(true).start();
        return new String(jvm.getInputStream().readAllBytes()).strip();
    }

    @Test
    void quietRequestsLieBeyondTheLastCompilation() throws IOException {
        assertThat(leastWith("-XX:+TieredCompilation")).isEqualTo("10000");
        assertThat(leastWith("-XX:Tier4InvocationThreshold=700")).isEqualTo("1400");
        assertThat(leastWith("-XX:-TieredCompilation")).isEqualTo("20000");
    }

    @Test
    void withoutTheLastCompilerAnyQuietEndDoes() throws IOException {
        assertThat(leastWith("-XX:TieredStopAtLevel=1")).isEqualTo("0");
    }

    @Test
    void aJvmWithoutThatModuleSaysNothing() throws IOException {
        assertThat(leastWith("--limit-modules=java.management")).isEqualTo("0");
    }
}
