package com.apofinder.pharmacies.register;

import java.time.LocalDateTime;
import java.util.List;

public record DistrictListing(String district, LocalDateTime at, String onDuty, List<PharmacyStatus> pharmacies) {

    public long openNow() {
        return pharmacies.stream().filter(PharmacyStatus::open).count();
    }
}
