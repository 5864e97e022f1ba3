package org.rivernet.geo;

public class GridReferenceException extends IllegalArgumentException {

    public GridReferenceException(String message) {
        super(message);
    }
}
