package se.skargardslinjen.fares.api;

import jakarta.ws.rs.core.Response;

import org.jboss.logging.Logger;
import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import se.skargardslinjen.fares.domain.InvalidTripException;
import se.skargardslinjen.fares.domain.UnknownRouteException;
import se.skargardslinjen.fares.surcharge.CouncilUnavailableException;

public class FareErrors {

    private static final Logger LOG = Logger.getLogger(FareErrors.class);

    @ServerExceptionMapper
    public RestResponse<ErrorView> unknownRoute(UnknownRouteException e) {
        return RestResponse.status(Response.Status.NOT_FOUND, new ErrorView(e.getMessage()));
    }

    @ServerExceptionMapper
    public RestResponse<ErrorView> invalidTrip(InvalidTripException e) {
        return RestResponse.status(Response.Status.BAD_REQUEST, new ErrorView(e.getMessage()));
    }

    @ServerExceptionMapper
    public RestResponse<ErrorView> councilUnavailable(CouncilUnavailableException e) {
        LOG.warn("no surcharges", e);
        return RestResponse.status(Response.Status.BAD_GATEWAY, new ErrorView("port dues are not available"));
    }
}
