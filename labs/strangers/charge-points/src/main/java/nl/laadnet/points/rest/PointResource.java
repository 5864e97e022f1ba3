package nl.laadnet.points.rest;

import java.util.List;
import java.util.Map;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

@Path("/places/{place}/points")
@Produces(MediaType.APPLICATION_JSON)
public class PointResource {

    private final PointFinder finder;

    public PointResource(PointFinder finder) {
        this.finder = finder;
    }

    @GET
    public List<PointView> points(@PathParam("place") String place,
            @QueryParam("radiusKm") @DefaultValue("3") double radiusKm,
            @QueryParam("minKilowatts") @DefaultValue("0") int minKilowatts) {
        return finder.near(place, radiusKm, minKilowatts);
    }

    @ServerExceptionMapper
    public RestResponse<Map<String, String>> unknownPlace(UnknownPlaceException e) {
        return RestResponse.status(Response.Status.NOT_FOUND, Map.of("error", e.getMessage()));
    }
}
