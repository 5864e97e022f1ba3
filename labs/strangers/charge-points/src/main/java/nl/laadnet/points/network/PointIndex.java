package nl.laadnet.points.network;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import jakarta.annotation.PostConstruct;
import jakarta.enterprise.context.ApplicationScoped;

import org.jboss.logging.Logger;

import io.quarkus.runtime.Startup;
import nl.laadnet.points.geo.Cell;
import nl.laadnet.points.geo.Position;

/** Finds charge points by position. */
@Startup
@ApplicationScoped
public class PointIndex {

    private static final Logger LOG = Logger.getLogger(PointIndex.class);

    private final NetworkSurvey survey;
    private final Map<Cell, List<ChargePoint>> cells = new HashMap<>();

    public PointIndex(NetworkSurvey survey) {
        this.survey = survey;
    }

    @PostConstruct
    void fill() {
        List<ChargePoint> points = survey.points();
        for (ChargePoint point : points) {
            cells.computeIfAbsent(Cell.of(point.position()), cell -> new ArrayList<>()).add(point);
        }
        LOG.infof("%d charge points in %d cells", points.size(), cells.size());
    }

    public List<Nearby> within(Position centre, double metres) {
        Cell middle = Cell.of(centre);
        int reach = Cell.reach(metres);
        List<Nearby> found = new ArrayList<>();
        for (int row = middle.row() - reach; row <= middle.row() + reach; row++) {
            for (int column = middle.column() - reach; column <= middle.column() + reach; column++) {
                for (ChargePoint point : cells.getOrDefault(new Cell(row, column), List.of())) {
                    double distance = centre.metresTo(point.position());
                    if (distance <= metres) {
                        found.add(new Nearby(point, (int) Math.round(distance)));
                    }
                }
            }
        }
        Collections.sort(found);
        return found;
    }
}
