package ch.grundbuch.extracts.api;

import ch.grundbuch.extracts.cadastre.CadastreClient;
import ch.grundbuch.extracts.cadastre.Parcel;
import ch.grundbuch.extracts.extract.Extract;
import ch.grundbuch.extracts.extract.ExtractService;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.annotation.QueryValue;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

@Controller("/parcels")
@ExecuteOn(TaskExecutors.BLOCKING)
public class LandRegisterController {

    private static final Logger LOG = LoggerFactory.getLogger(LandRegisterController.class);

    private final CadastreClient cadastre;
    private final ExtractService extracts;

    public LandRegisterController(CadastreClient cadastre, ExtractService extracts) {
        this.cadastre = cadastre;
        this.extracts = extracts;
    }

    @Get("/{number}")
    public Parcel parcel(@PathVariable String number) {
        Parcel parcel = cadastre.parcel(number);
        if (parcel == null) {
            throw new HttpStatusException(HttpStatus.NOT_FOUND, "no parcel " + number);
        }
        return parcel;
    }

    @Get("/{number}/extract")
    public Extract extract(@PathVariable String number, @QueryValue(defaultValue = "false") boolean certified) {
        LOG.debug("Extract of {} wanted", number);
        return extracts.draw(number, certified)
                .orElseThrow(() -> new HttpStatusException(HttpStatus.NOT_FOUND, "no parcel " + number));
    }
}
