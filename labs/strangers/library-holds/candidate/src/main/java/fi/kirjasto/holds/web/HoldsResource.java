package fi.kirjasto.holds.web;

import java.util.List;

import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.core.MediaType;

import org.apache.commons.lang3.StringUtils;

import fi.kirjasto.holds.catalogue.Hold;
import fi.kirjasto.holds.catalogue.HoldShelf;
import fi.kirjasto.holds.catalogue.UnknownCardException;
import fi.kirjasto.holds.remote.InterLibraryClient;

@Path("/holds")
@Produces(MediaType.APPLICATION_JSON)
public class HoldsResource {

    private final HoldShelf shelf;
    private final HoldsAssembler assembler;
    private final InterLibraryClient interLibrary;

    public HoldsResource(HoldShelf shelf, HoldsAssembler assembler, InterLibraryClient interLibrary) {
        this.shelf = shelf;
        this.assembler = assembler;
        this.interLibrary = interLibrary;
    }

    @GET
    @Path("/{card}")
    public HoldsView holds(@PathParam("card") String card) {
        String number = cardNumber(card);
        List<Hold> holds = shelf.ofCard(number);
        return assembler.assemble(number, holds, interLibrary.ofCard(number));
    }

    private static String cardNumber(String card) {
        String number = StringUtils.upperCase(StringUtils.trimToEmpty(card));
        if (number.isEmpty() || number.charAt(0) != 'H') {
            throw new UnknownCardException(card);
        }
        return number;
    }
}
