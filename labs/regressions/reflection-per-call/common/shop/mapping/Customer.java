package shop.mapping;

/** A customer, in the manner of beans. */
public final class Customer {
    private final String first;
    private final String last;
    private final String street;
    private final String town;
    private final String postcode;
    private final String country;

    Customer(String first, String last, String street, String town, String postcode, String country) {
        this.first = first;
        this.last = last;
        this.street = street;
        this.town = town;
        this.postcode = postcode;
        this.country = country;
    }

    public String getFirst() {
        return first;
    }

    public String getLast() {
        return last;
    }

    public String getStreet() {
        return street;
    }

    public String getTown() {
        return town;
    }

    public String getPostcode() {
        return postcode;
    }

    public String getCountry() {
        return country;
    }
}
