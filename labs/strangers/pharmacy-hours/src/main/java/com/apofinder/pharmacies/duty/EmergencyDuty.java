package com.apofinder.pharmacies.duty;

import com.apofinder.pharmacies.register.Pharmacy;

import java.time.LocalDate;
import javax.persistence.Column;
import javax.persistence.Entity;
import javax.persistence.FetchType;
import javax.persistence.GeneratedValue;
import javax.persistence.GenerationType;
import javax.persistence.Id;
import javax.persistence.Index;
import javax.persistence.JoinColumn;
import javax.persistence.ManyToOne;
import javax.persistence.Table;

/** Which pharmacy of a district serves customers through the night that begins on a date. */
@Entity
@Table(name = "emergency_duty", indexes = @Index(name = "duty_night", columnList = "district, night", unique = true))
public class EmergencyDuty {

    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE)
    private Long id;

    @Column(nullable = false, length = 8)
    private String district;

    @Column(nullable = false)
    private LocalDate night;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "pharmacy_id")
    private Pharmacy pharmacy;

    protected EmergencyDuty() {
    }

    public EmergencyDuty(String district, LocalDate night, Pharmacy pharmacy) {
        this.district = district;
        this.night = night;
        this.pharmacy = pharmacy;
    }

    public LocalDate night() {
        return night;
    }

    public Pharmacy pharmacy() {
        return pharmacy;
    }
}
