package nl.laadnet.points.tariff;

import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import nl.laadnet.points.network.ChargePoint;

@ApplicationScoped
public class TariffBook {

    private static final Map<String, Integer> CENTS_PER_KWH = Map.of(
            "Laadnet", 39, "Stroomhuis", 42, "Voltwijk", 36, "Polderpower", 45);
    private static final int FAST_CHARGING_FROM_KW = 50;
    private static final int FAST_CHARGING_EXTRA = 24;

    public int centsPerKwh(ChargePoint point) {
        int cents = CENTS_PER_KWH.getOrDefault(point.operator(), 49);
        return point.maxKilowatts() >= FAST_CHARGING_FROM_KW ? cents + FAST_CHARGING_EXTRA : cents;
    }
}
