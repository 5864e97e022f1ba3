package se.skargardslinjen.fares.pricing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import jakarta.enterprise.context.ApplicationScoped;

import se.skargardslinjen.fares.domain.Route;
import se.skargardslinjen.fares.domain.UnknownRouteException;

@ApplicationScoped
public class RouteCatalogue {

    private final Map<String, Route> routes = new LinkedHashMap<>();

    public RouteCatalogue() {
        add(new Route("vaxholm-sandhamn", "Vaxholm", "Sandhamn", 21,
                List.of("Vaxholm", "Grinda", "Möja", "Sandhamn"), true));
        add(new Route("stavsnas-sandhamn", "Stavsnäs", "Sandhamn", 7,
                List.of("Stavsnäs", "Styrsvik", "Sandhamn"), false));
        add(new Route("nynashamn-uto", "Nynäshamn", "Utö", 18,
                List.of("Nynäshamn", "Ålö", "Utö"), true));
        add(new Route("furusund-arholma", "Furusund", "Arholma", 26,
                List.of("Furusund", "Tjockö", "Arholma"), true));
        add(new Route("dalaro-orno", "Dalarö", "Ornö", 5, List.of("Dalarö", "Ornö"), true));
    }

    private void add(Route route) {
        routes.put(route.id(), route);
    }

    public Route byId(String id) {
        Route route = routes.get(id);
        if (route == null) {
            throw new UnknownRouteException(id);
        }
        return route;
    }
}
