package nl.laadnet.points.rest;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;
import org.jboss.logging.Logger;

import io.smallrye.mutiny.Multi;
import nl.laadnet.points.geo.Gazetteer;
import nl.laadnet.points.geo.Place;
import nl.laadnet.points.geo.Position;
import nl.laadnet.points.network.ChargePoint;
import nl.laadnet.points.network.Nearby;
import nl.laadnet.points.network.PointIndex;
import nl.laadnet.points.tariff.Euro;
import nl.laadnet.points.tariff.TariffBook;

@ApplicationScoped
public class PointFinder {

    private static final Logger LOG = Logger.getLogger(PointFinder.class);

    private final Gazetteer gazetteer;
    private final PointIndex index;
    private final TariffBook tariffs;
    private final double maxRadiusKm;

    public PointFinder(Gazetteer gazetteer, PointIndex index, TariffBook tariffs,
            @ConfigProperty(name = "points.max-radius-km") double maxRadiusKm) {
        this.gazetteer = gazetteer;
        this.index = index;
        this.tariffs = tariffs;
        this.maxRadiusKm = maxRadiusKm;
    }

    /** The charge points around a place, the nearest first. */
    public Multi<PointView> near(String placeKey, double radiusKm, int minKilowatts) {
        Place place = gazetteer.find(placeKey).orElseThrow(() -> new UnknownPlaceException(placeKey));
        double metres = Math.min(radiusKm, maxRadiusKm) * 1000;
        LOG.debugf("charge points within %s m of %s", metres, place.name());
        return Multi.createFrom().iterable(index.within(place.centre(), metres))
                .filter(nearby -> nearby.point().maxKilowatts() >= minKilowatts)
                .map(this::view);
    }

    private PointView view(Nearby nearby) {
        ChargePoint point = nearby.point();
        Position position = point.position();
        return new PointView(point.evseId(), point.operator(), point.street(), rounded(position.latitude()),
                rounded(position.longitude()), nearby.metres(), Euro.format(tariffs.centsPerKwh(point)),
                point.connectors().stream().map(ConnectorView::of).toList());
    }

    private static double rounded(double degrees) {
        return Math.round(degrees * 100_000) / 100_000.0;
    }
}
