package shop.tariffs;

import java.util.Map;

/** Stands for the store of the flags. Nobody has changed one for weeks. */
final class Store {
    private static final Map<String, Boolean> FLAGS = Map.of("fuel charge", true, "rounded", true);

    private Store() {}

    static boolean isOn(String flag) {
        return FLAGS.get(flag);
    }
}
