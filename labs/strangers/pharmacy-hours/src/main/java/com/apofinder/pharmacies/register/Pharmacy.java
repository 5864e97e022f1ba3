package com.apofinder.pharmacies.register;

import com.apofinder.pharmacies.hours.OpeningHours;

import java.time.LocalDate;
import javax.persistence.Column;
import javax.persistence.Embedded;
import javax.persistence.Entity;
import javax.persistence.GeneratedValue;
import javax.persistence.GenerationType;
import javax.persistence.Id;
import javax.persistence.Index;
import javax.persistence.Table;

@Entity
@Table(name = "pharmacy", indexes = {
        @Index(name = "pharmacy_district", columnList = "district, name"),
        @Index(name = "pharmacy_name", columnList = "name"),
        @Index(name = "pharmacy_postcode", columnList = "postcode, street")})
public class Pharmacy {

    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    private Long id;

    @Column(name = "licence_no", nullable = false, unique = true, length = 12)
    private String licenceNo;

    @Column(nullable = false, length = 80)
    private String name;

    @Column(nullable = false, length = 8)
    private String district;

    @Embedded
    private Address address;

    @Column(length = 24)
    private String phone;

    @Column(name = "opening_hours", nullable = false, length = 240)
    private OpeningHours openingHours;

    @Column(name = "closed_from")
    private LocalDate closedFrom;

    @Column(name = "closed_until")
    private LocalDate closedUntil;

    protected Pharmacy() {
    }

    public Pharmacy(String licenceNo, String name, String district, Address address, String phone,
            OpeningHours openingHours) {
        this.licenceNo = licenceNo;
        this.name = name;
        this.district = district;
        this.address = address;
        this.phone = phone;
        this.openingHours = openingHours;
    }

    public boolean isClosedOn(LocalDate date) {
        return closedFrom != null && !date.isBefore(closedFrom)
                && (closedUntil == null || !date.isAfter(closedUntil));
    }

    public void closeFor(LocalDate from, LocalDate until) {
        if (until != null && until.isBefore(from)) {
            throw new IllegalArgumentException("closure ends before it starts");
        }
        this.closedFrom = from;
        this.closedUntil = until;
    }

    public void changeHours(OpeningHours hours) {
        this.openingHours = hours;
    }

    public Long id() {
        return id;
    }

    public String licenceNo() {
        return licenceNo;
    }

    public String name() {
        return name;
    }

    public String district() {
        return district;
    }

    public Address address() {
        return address;
    }

    public String phone() {
        return phone;
    }

    public OpeningHours openingHours() {
        return openingHours;
    }

    public LocalDate closedUntil() {
        return closedUntil;
    }
}
