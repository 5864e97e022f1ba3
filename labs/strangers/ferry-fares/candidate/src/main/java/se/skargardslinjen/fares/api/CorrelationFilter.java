package se.skargardslinjen.fares.api;

import java.util.UUID;

import jakarta.ws.rs.container.ContainerRequestContext;
import jakarta.ws.rs.container.ContainerResponseContext;

import org.jboss.logging.MDC;
import org.jboss.resteasy.reactive.server.ServerRequestFilter;
import org.jboss.resteasy.reactive.server.ServerResponseFilter;

public class CorrelationFilter {

    static final String HEADER = "X-Correlation-Id";
    static final String KEY = "correlationId";

    @ServerRequestFilter
    public void begin(ContainerRequestContext request) {
        String id = request.getHeaderString(HEADER);
        if (id == null || id.isBlank()) {
            id = UUID.randomUUID().toString();
        }
        request.setProperty(KEY, id);
        MDC.put(KEY, id);
    }

    static String idOf(ContainerRequestContext request) {
        return String.valueOf(request.getProperty(KEY));
    }

    @ServerResponseFilter
    public void end(ContainerRequestContext request, ContainerResponseContext response) {
        Object id = request.getProperty(KEY);
        if (id != null) {
            response.getHeaders().putSingle(HEADER, id);
        }
        MDC.remove(KEY);
    }
}
