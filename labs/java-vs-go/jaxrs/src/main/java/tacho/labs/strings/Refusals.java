package tacho.labs.strings;

import jakarta.ws.rs.WebApplicationException;
import jakarta.ws.rs.core.MediaType;
import jakarta.ws.rs.core.Response;
import jakarta.ws.rs.ext.ExceptionMapper;
import java.util.Arrays;

/**
 * Jakarta REST's way from an exception to an answer: ours, and those that Jersey throws by itself.
 */
final class Refusals {

    private Refusals() {
    }

    static final class Ours implements ExceptionMapper<RefusedException> {
        @Override
        public Response toResponse(RefusedException e) {
            return worded(Response.status(e.refusal().status), e.refusal());
        }
    }

    static final class Jerseys implements ExceptionMapper<WebApplicationException> {
        /** Keeps status and headers ({@code Allow}); only the words are ours. */
        @Override
        public Response toResponse(WebApplicationException e) {
            Response jerseys = e.getResponse();
            return Arrays.stream(Refusal.values())
                    .filter(refusal -> refusal.status == jerseys.getStatus())
                    .findFirst()
                    .map(refusal -> worded(Response.fromResponse(jerseys), refusal))
                    .orElse(jerseys);
        }
    }

    private static Response worded(Response.ResponseBuilder response, Refusal refusal) {
        return response.type(MediaType.APPLICATION_JSON_TYPE).entity(Json.refused(refusal)).build();
    }
}
