package ch.grundbuch.extracts.api;

import ch.grundbuch.extracts.cadastre.CadastreClient;
import ch.grundbuch.extracts.cadastre.Parcel;
import io.micronaut.http.HttpStatus;
import io.micronaut.http.annotation.Controller;
import io.micronaut.http.annotation.Get;
import io.micronaut.http.annotation.PathVariable;
import io.micronaut.http.exceptions.HttpStatusException;
import io.micronaut.scheduling.TaskExecutors;
import io.micronaut.scheduling.annotation.ExecuteOn;

@Controller("/parcels")
@ExecuteOn(TaskExecutors.BLOCKING)
public class ParcelController {

    private final CadastreClient cadastre;

    public ParcelController(CadastreClient cadastre) {
        this.cadastre = cadastre;
    }

    @Get("/{number}")
    public Parcel parcel(@PathVariable String number) {
        Parcel parcel = cadastre.parcel(number);
        if (parcel == null) {
            throw new HttpStatusException(HttpStatus.NOT_FOUND, "no parcel " + number);
        }
        return parcel;
    }
}
