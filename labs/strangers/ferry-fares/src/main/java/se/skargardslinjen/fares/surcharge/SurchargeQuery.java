package se.skargardslinjen.fares.surcharge;

import se.skargardslinjen.fares.domain.Season;

/** What is asked of the port council: the dues along a route in a season. */
public record SurchargeQuery(String route, Season season) {
}
