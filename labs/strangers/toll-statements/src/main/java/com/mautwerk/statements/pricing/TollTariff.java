package com.mautwerk.statements.pricing;

import com.mautwerk.statements.StatementProperties;
import com.mautwerk.statements.account.Vehicle;
import com.mautwerk.statements.trip.Trip;

import java.math.BigDecimal;
import java.math.RoundingMode;
import org.springframework.stereotype.Component;

@Component
public class TollTariff {

    private static final BigDecimal[] PER_KM_BY_AXLES = {
            null, null, new BigDecimal("0.2210"), new BigDecimal("0.3145"), new BigDecimal("0.4530"),
            new BigDecimal("0.4710")};
    private static final BigDecimal NIGHT_FACTOR = new BigDecimal("1.22");
    private static final BigDecimal ALPINE_FACTOR = new BigDecimal("1.35");
    private static final BigDecimal METRES_PER_KM = new BigDecimal(1000);
    private static final BigDecimal HUNDRED = new BigDecimal(100);

    private final BigDecimal vatRate;

    public TollTariff(StatementProperties properties) {
        this.vatRate = properties.vatPercent().divide(HUNDRED);
    }

    public Toll of(Trip trip) {
        Vehicle vehicle = trip.vehicle();
        BigDecimal perKm = PER_KM_BY_AXLES[vehicle.axles()].add(vehicle.emissionClass().surchargePerKm());
        if (trip.isAtNight()) {
            perKm = perKm.multiply(NIGHT_FACTOR);
        }
        if (trip.section().isAlpine()) {
            perKm = perKm.multiply(ALPINE_FACTOR);
        }
        BigDecimal km = BigDecimal.valueOf(trip.section().metres()).divide(METRES_PER_KM);
        BigDecimal net = perKm.multiply(km).setScale(2, RoundingMode.HALF_UP);
        BigDecimal vat = net.multiply(vatRate).setScale(2, RoundingMode.HALF_UP);
        return new Toll(net, vat);
    }
}
