package nl.laadnet.points.network;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

import jakarta.enterprise.context.ApplicationScoped;

import org.eclipse.microprofile.config.inject.ConfigProperty;

import nl.laadnet.points.geo.Position;

/** The charge points of the country as the last survey found them. */
@ApplicationScoped
public class NetworkSurvey {

    private static final String[] STREETS = {"Dorpsstraat", "Stationsplein", "Havenkade", "Kerkweg", "Parklaan",
            "Molenpad", "Industrieweg", "Singel"};
    private static final int SURVEYED = 9000;

    private final List<String> operators;

    public NetworkSurvey(@ConfigProperty(name = "points.operators") List<String> operators) {
        this.operators = operators;
    }

    List<ChargePoint> points() {
        Random random = new Random(20260901);
        List<ChargePoint> points = new ArrayList<>(SURVEYED);
        for (int i = 0; i < SURVEYED; i++) {
            Position position = new Position(51.4 + random.nextDouble() * 1.3, 4.1 + random.nextDouble() * 2.2);
            String operator = operators.get(random.nextInt(operators.size()));
            String street = STREETS[random.nextInt(STREETS.length)] + " " + (1 + random.nextInt(180));
            points.add(new ChargePoint("NL*" + operator.substring(0, 3).toUpperCase() + "*E" + (100000 + i), operator,
                    street, position, connectors(random)));
        }
        return points;
    }

    private static List<Connector> connectors(Random random) {
        List<Connector> connectors = new ArrayList<>();
        boolean fast = random.nextInt(6) == 0;
        int count = fast ? 2 + random.nextInt(3) : 1 + random.nextInt(2);
        for (int number = 1; number <= count; number++) {
            Connector.Plug plug = !fast ? Connector.Plug.TYPE2
                    : random.nextInt(4) == 0 ? Connector.Plug.CHADEMO : Connector.Plug.CCS;
            connectors.add(new Connector(number, plug, fast ? 50 + 50 * random.nextInt(4) : 11, random.nextBoolean()));
        }
        return connectors;
    }
}
