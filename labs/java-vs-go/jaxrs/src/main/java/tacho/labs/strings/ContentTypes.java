package tacho.labs.strings;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerRequestFilter;
import jakarta.ws.rs.container.PreMatching;
import jakarta.ws.rs.core.HttpHeaders;
import jakarta.ws.rs.core.MediaType;

/**
 * A body without a type may be taken for bytes of any kind (RFC 9110, 8.3), one with a broken type
 * as well. Left to itself, Jersey takes the first for JSON and answers the second with 400 before
 * it looks for the path.
 */
@PreMatching
final class ContentTypes implements ContainerRequestFilter {

    @Override
    public void filter(ContainerRequestContext request) {
        if (!Json.isType(request.getHeaderString(HttpHeaders.CONTENT_TYPE))) {
            request.getHeaders().putSingle(HttpHeaders.CONTENT_TYPE, MediaType.APPLICATION_OCTET_STREAM);
        }
    }
}
