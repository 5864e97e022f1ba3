package com.apofinder.pharmacies.web;

import com.apofinder.pharmacies.register.DistrictListing;
import com.apofinder.pharmacies.register.PharmacyService;
import com.apofinder.pharmacies.register.PharmacyStatus;

import java.time.LocalDateTime;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class PharmacyController {

    private final PharmacyService service;

    public PharmacyController(PharmacyService service) {
        this.service = service;
    }

    @GetMapping("/districts/{district}/pharmacies")
    public ListingView inDistrict(@PathVariable String district,
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) LocalDateTime at) {
        DistrictListing listing = service.list(district, at);
        return new ListingView(listing.district(), listing.openNow(), listing.onDuty(), listing.pharmacies());
    }

    @GetMapping("/pharmacies/{licenceNo}")
    public PharmacyStatus pharmacy(@PathVariable String licenceNo,
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE_TIME) LocalDateTime at) {
        return service.find(licenceNo, at);
    }

    @PutMapping("/pharmacies/{licenceNo}/hours")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public void changeHours(@PathVariable String licenceNo, @RequestBody HoursChange change) {
        service.changeHours(licenceNo, change.hours());
    }

    @PutMapping("/pharmacies/{licenceNo}/closure")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public void close(@PathVariable String licenceNo, @RequestBody Closure closure) {
        service.close(licenceNo, closure.from(), closure.until());
    }
}
