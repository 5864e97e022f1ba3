package tacho.checks.topics;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Objects that implement an interface without a class. */
final class Proxies implements Topic {

    /** What the proxy implements. */
    interface Greeter {
        String greet(String name);

        default String greetTwice(String name) {
            return greet(name) + " " + greet(name);
        }
    }

    @Override
    public void check(Checks checks) {
        checks.check("proxies.called", "greet [ann] for Greeter, a proxy true", () -> {
            Greeter greeter = proxy((self, method, arguments) -> method.getName() + " " + Arrays.toString(arguments)
                    + " for " + method.getDeclaringClass().getSimpleName());
            return greeter.greet("ann") + ", a proxy " + Proxy.isProxyClass(greeter.getClass());
        });
        checks.check(
                "proxies.default method", "hi ann hi ann", () -> proxy((self, method, arguments) -> method.isDefault()
                                ? InvocationHandler.invokeDefault(self, method, arguments)
                                : "hi " + arguments[0])
                        .greetTwice("ann"));
        checks.check("proxies.checked exception", "UndeclaredThrowableException of Exception", () -> {
            try {
                return proxy((self, method, arguments) -> {
                            throw new Exception();
                        })
                        .greet("");
            } catch (java.lang.reflect.UndeclaredThrowableException e) {
                return e.getClass().getSimpleName() + " of "
                        + e.getCause().getClass().getSimpleName();
            }
        });
    }

    private static Greeter proxy(InvocationHandler handler) {
        return (Greeter)
                Proxy.newProxyInstance(Proxies.class.getClassLoader(), new Class<?>[] {Greeter.class}, handler);
    }
}
