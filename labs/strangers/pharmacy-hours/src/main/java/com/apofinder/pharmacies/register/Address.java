package com.apofinder.pharmacies.register;

import java.util.Objects;
import javax.persistence.Column;
import javax.persistence.Embeddable;

@Embeddable
public class Address {

    @Column(nullable = false, length = 80)
    private String street;

    @Column(name = "house_no", nullable = false, length = 8)
    private String houseNo;

    @Column(nullable = false, length = 5)
    private String postcode;

    protected Address() {
    }

    public Address(String street, String houseNo, String postcode) {
        this.street = street;
        this.houseNo = houseNo;
        this.postcode = postcode;
    }

    public String line() {
        return street + " " + houseNo;
    }

    public String postcode() {
        return postcode;
    }

    @Override
    public boolean equals(Object o) {
        if (!(o instanceof Address)) {
            return false;
        }
        Address other = (Address) o;
        return Objects.equals(street, other.street)
                && Objects.equals(houseNo, other.houseNo)
                && Objects.equals(postcode, other.postcode);
    }

    @Override
    public int hashCode() {
        return Objects.hash(street, houseNo, postcode);
    }
}
