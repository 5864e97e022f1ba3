package se.skargardslinjen.fares.api;

import java.util.List;

import se.skargardslinjen.fares.domain.Fare;
import se.skargardslinjen.fares.domain.FareLine;

public record FareView(String route, String from, String to, String date, String season, String vehicle,
        int passengers, List<LineView> lines, String total) {

    public record LineView(String code, String text, String amount) {

        static LineView of(FareLine line) {
            return new LineView(line.code(), line.text(), kronor(line.ore()));
        }
    }

    public static FareView of(Fare fare) {
        return new FareView(fare.route().id(), fare.route().from(), fare.route().to(), fare.date().toString(),
                fare.season().name(), fare.vehicle().name(), fare.passengers(),
                fare.lines().stream().map(LineView::of).toList(), kronor(fare.totalOre()));
    }

    static String kronor(int ore) {
        int rest = ore % 100;
        return ore / 100 + (rest < 10 ? ".0" : ".") + rest + " SEK";
    }
}
