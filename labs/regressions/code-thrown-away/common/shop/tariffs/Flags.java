package shop.tariffs;

import java.lang.invoke.MethodHandle;

/** Flags that the compiler takes for constants, so that to ask for one costs nothing. */
final class Flags {
    private static final Switch FUEL_CHARGE = new Switch();
    private static final Switch ROUNDED = new Switch();
    private static final MethodHandle HAS_FUEL_CHARGE = FUEL_CHARGE.reader();
    private static final MethodHandle IS_ROUNDED = ROUNDED.reader();

    private Flags() {}

    static boolean hasFuelCharge() {
        return read(HAS_FUEL_CHARGE);
    }

    static boolean isRounded() {
        return read(IS_ROUNDED);
    }

    /** Asks the store what they are now. */
    static void refresh() {
        FUEL_CHARGE.turn(Store.isOn("fuel charge"));
        ROUNDED.turn(Store.isOn("rounded"));
    }

    private static boolean read(MethodHandle flag) {
        try {
            return (boolean) flag.invokeExact();
        } catch (Throwable e) {
            throw new IllegalStateException("a flag cannot be read", e);
        }
    }
}
