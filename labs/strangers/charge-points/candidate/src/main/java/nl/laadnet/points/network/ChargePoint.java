package nl.laadnet.points.network;

import java.util.List;

import nl.laadnet.points.geo.Position;

public record ChargePoint(String evseId, String operator, String street, Position position,
        List<Connector> connectors) {

    public ChargePoint {
        connectors = List.copyOf(connectors);
    }

    public int maxKilowatts() {
        int max = 0;
        for (Connector connector : connectors) {
            max = Math.max(max, connector.kilowatts());
        }
        return max;
    }

    public boolean fastCharging() {
        return maxKilowatts() >= 50;
    }
}
