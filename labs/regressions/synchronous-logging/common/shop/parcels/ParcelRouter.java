package shop.parcels;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** From a parcel's weight to its way. */
final class ParcelRouter {
    private static final Logger LOG = LoggerFactory.getLogger(ParcelRouter.class);

    private ParcelRouter() {}

    static String way(int parcel) {
        int grams = parcel * 7919 % 30_000;
        String way = grams < 1_000 ? "by bicycle" : grams < 10_000 ? "by van" : "by lorry";
        LOG.debug("parcel {} weighs {} grams and goes {}", parcel, grams, way);
        return way;
    }
}
