package nl.laadnet.points.network;

/** A charge point and how far it is from where was asked. */
public record Nearby(ChargePoint point, int metres) implements Comparable<Nearby> {

    @Override
    public int compareTo(Nearby other) {
        int byDistance = Integer.compare(metres, other.metres);
        return byDistance != 0 ? byDistance : point.evseId().compareTo(other.point.evseId());
    }
}
