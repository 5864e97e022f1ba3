package eu.fuhrpark.reports.report;

import eu.fuhrpark.reports.trips.Trip;
import jakarta.enterprise.context.ApplicationScoped;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;

/** Writes the trip sheet that the tax office wants, of which the report carries the digest. */
@ApplicationScoped
public class SheetWriter {

    private static final String LINE = "%s;%-18s;%7.1f km;%3d min;%6.2f l;%s%n";

    public String write(String vehicle, List<Trip> trips) {
        StringBuilder sheet = new StringBuilder();
        sheet.append("vehicle;").append(vehicle).append('\n');
        for (Trip trip : trips) {
            sheet.append(String.format(Locale.ROOT, LINE, trip.day(), trip.destination(), trip.metres() / 1000.0,
                    trip.minutes(), trip.millilitres() / 1000.0, trip.night() ? "night" : "day"));
        }
        return sheet.toString();
    }

    public String digest(String sheet) {
        try {
            MessageDigest sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(sheet.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
