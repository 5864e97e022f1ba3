package eu.nachtquartier.offers.offer;

import eu.nachtquartier.offers.context.RequestContext;
import eu.nachtquartier.offers.tenant.TenantRegistry;
import eu.nachtquartier.offers.tenant.TenantSettings;

/** Turns the net rate of a supplier into the price of the tenant. */
public class Markup {

    private final TenantRegistry tenants;

    public Markup(TenantRegistry tenants) {
        this.tenants = tenants;
    }

    int price(String hotel, int netCents) {
        TenantSettings settings = tenants.settings(RequestContext.require(RequestContext.TENANT));
        int perMille = settings.number("markup." + hotel, "default.markup");
        int step = settings.number("rounding");
        int price = Math.toIntExact(netCents * (1000L + perMille) / 1000);
        return (price + step - 1) / step * step;
    }
}
