package shop.tariffs;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MutableCallSite;

/** A flag. Turning it makes the JVM throw away all compiled code that took it for a constant. */
final class Switch {
    private final MutableCallSite site = new MutableCallSite(constant(false));

    MethodHandle reader() {
        return site.dynamicInvoker();
    }

    synchronized void turn(boolean on) {
        site.setTarget(constant(on));
        MutableCallSite.syncAll(new MutableCallSite[] {site});
    }

    private static MethodHandle constant(boolean on) {
        return MethodHandles.constant(boolean.class, on);
    }
}
