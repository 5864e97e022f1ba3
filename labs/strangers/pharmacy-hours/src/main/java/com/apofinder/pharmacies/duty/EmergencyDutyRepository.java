package com.apofinder.pharmacies.duty;

import com.apofinder.pharmacies.register.Pharmacy;

import java.time.LocalDate;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface EmergencyDutyRepository extends JpaRepository<EmergencyDuty, Long> {

    @Query("select p from EmergencyDuty d join d.pharmacy p where d.district = :district and d.night = :night")
    Optional<Pharmacy> onDuty(String district, LocalDate night);
}
