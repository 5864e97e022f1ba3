package com.apofinder.pharmacies.register;

import com.apofinder.pharmacies.duty.EmergencyDutyRepository;
import com.apofinder.pharmacies.hours.OpeningHours;
import com.apofinder.pharmacies.hours.OpeningHoursFormat;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional
public class PharmacyService {

    private static final Logger log = LoggerFactory.getLogger(PharmacyService.class);

    private static final LocalTime DUTY_CHANGES = LocalTime.of(8, 30);

    private final PharmacyRepository pharmacies;
    private final EmergencyDutyRepository duties;

    public PharmacyService(PharmacyRepository pharmacies, EmergencyDutyRepository duties) {
        this.pharmacies = pharmacies;
        this.duties = duties;
    }

    public DistrictListing list(String district, LocalDateTime at) {
        List<Pharmacy> found = pharmacies.inDistrict(district);
        if (found.isEmpty()) {
            throw new UnknownDistrictException(district);
        }
        List<PharmacyStatus> statuses = new ArrayList<>(found.size());
        for (Pharmacy pharmacy : found) {
            statuses.add(statusOf(pharmacy, at));
        }
        log.debug("{} pharmacies in {} at {}", statuses.size(), district, at);
        String onDuty = duties.onDuty(district, dutyNight(at)).map(Pharmacy::licenceNo).orElse(null);
        return new DistrictListing(district, at, onDuty, statuses);
    }

    public PharmacyStatus find(String licenceNo, LocalDateTime at) {
        return statusOf(byLicence(licenceNo), at);
    }

    public void changeHours(String licenceNo, String hours) {
        Pharmacy pharmacy = byLicence(licenceNo);
        pharmacy.changeHours(OpeningHoursFormat.parse(hours));
        log.info("{} now opens {}", licenceNo, pharmacy.openingHours());
    }

    public void close(String licenceNo, LocalDate from, LocalDate until) {
        byLicence(licenceNo).closeFor(from, until);
        log.info("{} closed from {} until {}", licenceNo, from, until);
    }

    private static LocalDate dutyNight(LocalDateTime at) {
        return at.toLocalTime().isBefore(DUTY_CHANGES) ? at.toLocalDate().minusDays(1) : at.toLocalDate();
    }

    private Pharmacy byLicence(String licenceNo) {
        return pharmacies.findByLicenceNo(licenceNo)
                .orElseThrow(() -> new UnknownPharmacyException(licenceNo));
    }

    private static PharmacyStatus statusOf(Pharmacy pharmacy, LocalDateTime at) {
        OpeningHours hours = pharmacy.openingHours();
        boolean closed = pharmacy.isClosedOn(at.toLocalDate());
        boolean open = !closed && hours.isOpenAt(at);
        return new PharmacyStatus(
                pharmacy.licenceNo(),
                pharmacy.name(),
                pharmacy.address().line(),
                pharmacy.address().postcode(),
                pharmacy.phone(),
                open,
                open ? hours.closesAt(at).orElse(null) : null,
                open || closed ? null : hours.opensNextAfter(at).orElse(null),
                hours.toString());
    }
}
