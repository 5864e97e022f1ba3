package ch.helvamed.stock.api;

import java.util.Optional;

import ch.helvamed.commons.http.PartnerException;
import ch.helvamed.stock.StockService;
import io.micronaut.http.HttpResponse;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Error;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Controller("/medicines")
public class StockController {

    private static final Logger LOG = LoggerFactory.getLogger(StockController.class);

    private final StockService stock;

    public StockController(StockService stock) {
        this.stock = stock;
    }

    @Get("/{code}/stock")
    @ExecuteOn(TaskExecutors.BLOCKING)
    public Optional<StockView> stock(@PathVariable String code, @QueryValue(defaultValue = "Bern") String near) {
        return stock.find(code, near);
    }

    @Error
    HttpResponse<?> partnerFailed(PartnerException e) {
        LOG.warn("wholesaler failed", e);
        return HttpResponse.serverError();
    }
}
