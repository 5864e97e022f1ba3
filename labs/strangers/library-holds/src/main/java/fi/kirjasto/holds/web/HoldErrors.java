package fi.kirjasto.holds.web;

import java.util.Map;

import jakarta.ws.rs.core.Response;

import org.jboss.resteasy.reactive.RestResponse;
import org.jboss.resteasy.reactive.server.ServerExceptionMapper;

import fi.kirjasto.holds.catalogue.UnknownCardException;

public class HoldErrors {

    @ServerExceptionMapper
    public RestResponse<Map<String, String>> unknownCard(UnknownCardException e) {
        return RestResponse.status(Response.Status.NOT_FOUND, Map.of("error", e.getMessage()));
    }
}
