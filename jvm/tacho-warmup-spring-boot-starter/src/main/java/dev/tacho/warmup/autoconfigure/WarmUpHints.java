package dev.tacho.warmup.autoconfigure;

import dev.tacho.warmup.WarmUp;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.RuntimeHintsRegistrar;

/**
 * In a native image Spring reads the attributes of an annotation through its methods. Mapped
 * methods of controllers have hints of Spring's own.
 */
final class WarmUpHints implements RuntimeHintsRegistrar {

    @Override
    public void registerHints(RuntimeHints hints, ClassLoader loader) {
        hints.reflection().registerType(WarmUp.class, MemberCategory.INVOKE_DECLARED_METHODS)
                .registerType(WarmUp.Several.class, MemberCategory.INVOKE_DECLARED_METHODS);
    }
}
