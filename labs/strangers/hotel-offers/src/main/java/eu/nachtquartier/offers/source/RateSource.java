package eu.nachtquartier.offers.source;

import java.util.List;

/** A supplier of rates; the call may block. */
public interface RateSource {

    String name();

    List<NetRate> rates(Search search);
}
