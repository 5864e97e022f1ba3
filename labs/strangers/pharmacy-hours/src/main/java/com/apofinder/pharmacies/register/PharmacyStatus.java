package com.apofinder.pharmacies.register;

import java.time.LocalDateTime;
import java.time.LocalTime;

public record PharmacyStatus(
        String licenceNo,
        String name,
        String street,
        String postcode,
        String phone,
        boolean open,
        LocalTime closesAt,
        LocalDateTime opensNext,
        String openingHours) {
}
