package dev.tacho.warmup.autoconfigure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tacho.warmup.WarmUp;
import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Properties;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;

class WarmUpHintsTest {

    @Test
    void aNativeImageCanReadTheAnnotation() {
        RuntimeHints hints = new RuntimeHints();
        new WarmUpHints().registerHints(hints, getClass().getClassLoader());
        assertThat(RuntimeHintsPredicates.reflection().onType(WarmUp.class)
                .withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
        assertThat(RuntimeHintsPredicates.reflection().onType(WarmUp.Several.class)
                .withMemberCategory(MemberCategory.INVOKE_DECLARED_METHODS)).accepts(hints);
    }

    @Test
    void itsHintsAreFound() throws IOException {
        Set<String> named = new HashSet<>();
        for (URL url : Collections.list(getClass().getClassLoader().getResources("META-INF/spring/aot.factories"))) {
            Properties file = new Properties();
            try (InputStream input = url.openStream()) {
                file.load(input);
            }
            named.addAll(List.of(file.getProperty(RuntimeHintsRegistrar.class.getName(), "").split(",")));
        }
        assertThat(named).contains(WarmUpHints.class.getName());
    }
}
