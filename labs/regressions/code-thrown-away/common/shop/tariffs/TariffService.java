package shop.tariffs;

import front.Front;
import java.util.concurrent.atomic.AtomicInteger;

/** Prices of a tariff, for each zone and weight. */
public final class TariffService {
    /** The store of the flags is asked again after so many requests. */
    private static final int REFRESHED_EACH = 20;

    private final AtomicInteger requests = new AtomicInteger();

    public static void main(String[] arguments) {
        Front.serve(arguments, 4, new TariffService()::page);
    }

    String page() {
        if (requests.getAndIncrement() % REFRESHED_EACH == 0) {
            Flags.refresh();
        }
        StringBuilder text = new StringBuilder();
        for (int zone = 1; zone <= 40; zone++) {
            text.append("zone ").append(zone).append(": ").append(Tariff.sum(zone)).append(" cents for all weights\n");
        }
        return text.toString();
    }
}
