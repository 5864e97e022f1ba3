package tacho.nativekit.driver.options;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TranslationTest {

    private final Translation translation = new Translation(Options.SOME);

    private String translated(String... words) {
        return translation.translate(List.of(words), 0, Origin.USER).orElseThrow().builderArgument();
    }

    @ParameterizedTest
    @CsvSource({
            "--shared, -H:+SharedLibrary@user+api",
            "-dsa, -H:-RuntimeSystemAssertions@user+api",
            "--no-fallback, -H:FallbackThreshold@user+api=0",
            "--enable-http, -H:EnableURLProtocols@user+api=http",
            "-g, -H:GenerateDebugInfo@user+api=2",
            "--gc=serial, -H:+UseSerialGC@user+api",
            "-Ob, -H:Optimize@user+api=b",
            "-O2, -H:Optimize@user+api=2",
            "-march=native, -H:MicroArchitecture@user+api=native",
            "--enable-monitoring, -H:EnableMonitoringFeatures@user+api=<all>",
            "'--enable-monitoring=jfr,heapdump', '-H:EnableMonitoringFeatures@user+api=jfr,heapdump'",
            "--features=a.B=c, -H:Features@user+api=a.B=c",
            "--initialize-at-build-time, -H:ClassInitialization@user+api=:build_time",
            "'--initialize-at-build-time=a,b.C', '-H:ClassInitialization@user+api=a:build_time,b.C:build_time'",
            "--initialize-at-run-time=a, -H:ClassInitialization@user+api=a:run_time",
            "-ea, -H:RuntimeAssertions@user+api=+",
            "-enableassertions:a.b..., -H:RuntimeAssertions@user+api=+a.b...",
            "--link-at-build-time-paths=x.jar, -H:LinkAtBuildTimePaths@user+api=x.jar"})
    void publicOptionsAreTranslated(String word, String expected) {
        assertEquals(expected, translated(word));
    }

    @Test
    void someTakeTheNextWord() {
        Translation.Translated next = translation.translate(List.of("--add-exports", "java.base/a=ALL-UNNAMED"), 0, Origin.USER)
                .orElseThrow();
        assertEquals("-H:AddExports@user+api=java.base/a=ALL-UNNAMED", next.builderArgument());
        assertEquals(2, next.consumed());
        assertEquals("-H:AddExports@user+api=java.base/a=ALL-UNNAMED", translated("--add-exports=java.base/a=ALL-UNNAMED"));
    }

    @Test
    void theOriginIsThatOfTheFile() {
        Origin origin = Origin.argumentFile("a.args");
        assertEquals("-H:+SharedLibrary@argfile:a.args+api",
                translation.translate(List.of("--shared"), 0, origin).orElseThrow().builderArgument());
    }

    @Test
    void whatIsNoPublicOptionIsNotTranslated() {
        for (String word : List.of("--sharde", "--sharedX", "-march2=x", "Main", "-gx", "--features:x", "-H:+A")) {
            assertEquals(Optional.empty(), translation.translate(List.of(word), 0, Origin.USER), word);
        }
    }

    @Test
    void aValueThatLacksIsAskedFor() {
        String message = assertThrows(IllegalArgumentException.class, () -> translated("--features")).getMessage();
        assertTrue(message.contains("--features=VALUE"), message);
    }

    @Test
    void aValueTooManyIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> translated("--shared=yes"));
        assertThrows(IllegalArgumentException.class, () -> translated("--no-fallback=1"));
    }

    @Test
    void deprecatedOptionsWarn() {
        String warning = translation.translate(List.of("--strict-image-heap"), 0, Origin.USER).orElseThrow().warning();
        assertTrue(warning.contains("--strict-image-heap is deprecated. It is the default."), warning);
    }
}
