package shop.clients;

import java.lang.reflect.Proxy;

/** Makes clients of other services. */
final class Clients {
    private Clients() {}

    static <T> T client(Class<T> type) {
        // So that the client can be unloaded when its service is gone.
        ClassLoader own = new ClassLoader(type.getClassLoader()) {};
        return type.cast(Proxy.newProxyInstance(own, new Class<?>[] {type}, new Answers()));
    }
}
