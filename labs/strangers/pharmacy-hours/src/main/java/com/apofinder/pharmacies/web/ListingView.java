package com.apofinder.pharmacies.web;

import com.apofinder.pharmacies.register.PharmacyStatus;

import java.util.List;

public record ListingView(String district, long openNow, String onDuty, List<PharmacyStatus> pharmacies) {
}
