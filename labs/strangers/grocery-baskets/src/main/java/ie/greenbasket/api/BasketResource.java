package ie.greenbasket.api;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.NotFoundException;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

import ie.greenbasket.assortment.Assortments;
import ie.greenbasket.basket.Basket;
import ie.greenbasket.basket.Baskets;
import ie.greenbasket.pricing.PricingRequest;
import ie.greenbasket.pricing.PricingService;

@Path("/baskets")
@Produces(MediaType.APPLICATION_JSON)
public class BasketResource {

    private final Baskets baskets;
    private final Assortments assortments;
    private final PricingService pricing;

    public BasketResource(Baskets baskets, Assortments assortments, PricingService pricing) {
        this.baskets = baskets;
        this.assortments = assortments;
        this.pricing = pricing;
    }

    @GET
    @Path("/{id}/price")
    public PriceView price(@PathParam("id") String id, @QueryParam("store") String store) {
        Basket basket = baskets.find(id).orElseThrow(() -> new NotFoundException("no basket " + id));
        PricingRequest request = new PricingRequest(basket, store, assortments.of(store));
        return PriceView.of(pricing.price(request));
    }
}
