package com.apofinder.pharmacies.register;

import java.util.List;
import java.util.Optional;
import org.springframework.data.jpa.repository.JpaRepository;
import org.springframework.data.jpa.repository.Query;

public interface PharmacyRepository extends JpaRepository<Pharmacy, Long> {

    @Query("select p from Pharmacy p where p.district = :district order by p.name, p.id")
    List<Pharmacy> inDistrict(String district);

    Optional<Pharmacy> findByLicenceNo(String licenceNo);
}
