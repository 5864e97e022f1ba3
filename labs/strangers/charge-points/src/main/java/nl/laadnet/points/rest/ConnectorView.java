package nl.laadnet.points.rest;

import nl.laadnet.points.network.Connector;

public record ConnectorView(int number, String plug, int kilowatts, boolean free) {

    static ConnectorView of(Connector connector) {
        return new ConnectorView(connector.number(), connector.plug().label(), connector.kilowatts(),
                connector.free());
    }
}
