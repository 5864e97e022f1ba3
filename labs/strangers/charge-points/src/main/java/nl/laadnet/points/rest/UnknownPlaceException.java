package nl.laadnet.points.rest;

public class UnknownPlaceException extends RuntimeException {

    public UnknownPlaceException(String place) {
        super("unknown place: " + place);
    }
}
