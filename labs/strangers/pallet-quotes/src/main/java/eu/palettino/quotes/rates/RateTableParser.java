package eu.palettino.quotes.rates;

import java.io.BufferedReader;
import java.io.IOException;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.springframework.stereotype.Component;

/** Reads tables of the form {@code up to kg;LOCAL;NEAR;...}, one band of weights a line. */
@Component
public class RateTableParser {

    public RateTable parse(String carrier, BufferedReader csv) throws IOException {
        String header = csv.readLine();
        if (header == null) {
            throw new RateTableException(carrier, "is empty");
        }
        Zone[] zones = zones(carrier, header);
        List<RateBand> bands = new ArrayList<>();
        for (String line = csv.readLine(); line != null; line = csv.readLine()) {
            if (!line.isBlank()) {
                bands.add(band(carrier, zones, line));
            }
        }
        return new RateTable(carrier, bands);
    }

    private static Zone[] zones(String carrier, String header) {
        String[] titles = header.split(";");
        Zone[] zones = new Zone[titles.length - 1];
        for (int i = 1; i < titles.length; i++) {
            try {
                zones[i - 1] = Zone.valueOf(titles[i].strip());
            } catch (IllegalArgumentException e) {
                throw new RateTableException(carrier, "has an unknown zone " + titles[i]);
            }
        }
        return zones;
    }

    private static RateBand band(String carrier, Zone[] zones, String line) {
        String[] cells = line.split(";");
        if (cells.length != zones.length + 1) {
            throw new RateTableException(carrier, "has a line of " + cells.length + " cells: " + line);
        }
        RateBand band = new RateBand(Integer.parseInt(cells[0].strip()));
        for (int i = 0; i < zones.length; i++) {
            band.put(zones[i], new BigDecimal(cells[i + 1].strip()));
        }
        return band;
    }
}
