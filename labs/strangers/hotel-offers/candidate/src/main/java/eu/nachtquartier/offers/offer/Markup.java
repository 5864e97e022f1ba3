package eu.nachtquartier.offers.offer;

import eu.nachtquartier.offers.context.RequestContext;

/** Turns the net rate of a supplier into the price of the tenant that asks. */
public class Markup {

    int price(String hotel, int netCents) {
        String own = RequestContext.get("markup." + hotel);
        int perMille = own == null ? RequestContext.requireNumber("default.markup") : Integer.parseInt(own);
        int step = RequestContext.requireNumber("rounding");
        int price = Math.toIntExact(netCents * (1000L + perMille) / 1000);
        return (price + step - 1) / step * step;
    }
}
