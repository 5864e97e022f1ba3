package ch.grundbuch.extracts.api;

import ch.grundbuch.extracts.extract.Extract;
import ch.grundbuch.extracts.extract.ExtractService;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Extracts have a controller of their own, as they will be charged for. */
@Controller("/parcels/{number}/extract")
public class ExtractController {

    private static final Logger LOG = LoggerFactory.getLogger(ExtractController.class);

    private final ExtractService extracts;

    public ExtractController(ExtractService extracts) {
        this.extracts = extracts;
    }

    @Get
    public Extract extract(@PathVariable String number, @QueryValue(defaultValue = "false") boolean certified) {
        LOG.debug("Extract of {} wanted, certified: {}", number, certified);
        return extracts.draw(number, certified)
                .orElseThrow(() -> new HttpStatusException(HttpStatus.NOT_FOUND, "no parcel " + number));
    }
}
