package ch.grundbuch.extracts.api;

import ch.grundbuch.extracts.cadastre.CadastreUnavailable;
import io.micronaut.http.HttpRequest;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Produces;
import io.micronaut.http.server.exceptions.ExceptionHandler;
import jakarta.inject.Singleton;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Produces
@Singleton
public class CadastreUnavailableHandler implements ExceptionHandler<CadastreUnavailable, HttpResponse<?>> {

    private static final Logger LOG = LoggerFactory.getLogger(CadastreUnavailableHandler.class);

    @Override
    @SuppressWarnings("rawtypes")
    public HttpResponse<?> handle(HttpRequest request, CadastreUnavailable exception) {
        LOG.warn("Cadastre unavailable: {}", exception.getMessage());
        return HttpResponse.status(HttpStatus.BAD_GATEWAY).body(Map.of("error", exception.getMessage()));
    }
}
