package eu.quayside.freight.ports;

public record Port(String code, String name, double latitude, double longitude) {

    public int nauticalMilesTo(Port other) {
        double latitude1 = Math.toRadians(latitude);
        double latitude2 = Math.toRadians(other.latitude);
        double a = Math.pow(Math.sin((latitude2 - latitude1) / 2), 2) + Math.cos(latitude1) * Math.cos(latitude2)
                * Math.pow(Math.sin(Math.toRadians(other.longitude - longitude) / 2), 2);
        return (int) Math.round(2 * 3440.065 * Math.asin(Math.sqrt(a)));
    }
}
