package nl.laadnet.points.rest;

import java.util.List;

public record PointView(String evseId, String operator, String street, double latitude, double longitude, int metres,
        String perKwh, List<ConnectorView> connectors) {
}
