package shop.parcels;

import front.Front;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Which way parcels go. */
public final class ParcelService {
    public static void main(String[] arguments) throws IOException {
        Path log = Files.createTempFile("parcels-", ".log");
        log.toFile().deleteOnExit();
        System.setProperty("parcels.log", log.toString());
        Front.serve(arguments, 4, new ParcelService()::page);
    }

    String page() {
        StringBuilder text = new StringBuilder();
        for (int parcel = 0; parcel < 40; parcel++) {
            text.append(String.format("%4d %-20s%n", parcel, ParcelRouter.way(parcel)));
        }
        return text.toString();
    }
}
