package beside;

import java.lang.instrument.Instrumentation;
import java.util.concurrent.Callable;
import net.bytebuddy.agent.builder.AgentBuilder;
import net.bytebuddy.implementation.MethodDelegation;
import net.bytebuddy.implementation.bind.annotation.RuntimeType;
import net.bytebuddy.implementation.bind.annotation.SuperCall;
import net.bytebuddy.matcher.ElementMatchers;

/**
 * An agent as people write them with Byte Buddy: methods are renamed, and what has their names
 * calls them.
 */
public class ShopAgent {
    private static volatile boolean said;

    public static void premain(String argument, Instrumentation instrumentation) {
        new AgentBuilder.Default()
                .type(ElementMatchers.named("com.acme.Shop"))
                .transform((builder, type, loader, module, domain) -> builder
                        .method(ElementMatchers.namedOneOf("render", "row", "swallow"))
                        .intercept(MethodDelegation.to(ShopAgent.class)))
                .installOn(instrumentation);
    }

    @RuntimeType
    public static Object around(@SuperCall Callable<?> original) throws Exception {
        if (!said) {
            said = true;
            System.out.println("wrapped");
        }
        return original.call();
    }
}
