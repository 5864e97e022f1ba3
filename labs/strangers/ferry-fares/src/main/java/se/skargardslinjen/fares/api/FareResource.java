package se.skargardslinjen.fares.api;

import java.time.LocalDate;
import java.time.format.DateTimeParseException;

import jakarta.ws.rs.DefaultValue;
import jakarta.ws.rs.GET;
import jakarta.ws.rs.Path;
import jakarta.ws.rs.PathParam;
import jakarta.ws.rs.Produces;
import jakarta.ws.rs.QueryParam;
import jakarta.ws.rs.core.MediaType;

import se.skargardslinjen.fares.domain.InvalidTripException;
import se.skargardslinjen.fares.domain.VehicleClass;
import se.skargardslinjen.fares.pricing.FareCalculator;

@Path("/fares")
@Produces(MediaType.APPLICATION_JSON)
public class FareResource {

    private final FareCalculator calculator;

    public FareResource(FareCalculator calculator) {
        this.calculator = calculator;
    }

    @GET
    @Path("/{route}")
    public FareView fare(@PathParam("route") String route,
            @QueryParam("date") String date,
            @QueryParam("vehicle") String vehicle,
            @QueryParam("passengers") @DefaultValue("1") int passengers) {
        VehicleClass vehicleClass = VehicleClass.parse(vehicle)
                .orElseThrow(() -> new InvalidTripException("no such vehicle: " + vehicle));
        return FareView.of(calculator.calculate(route, day(date), vehicleClass, passengers));
    }

    private static LocalDate day(String text) {
        try {
            return text == null ? LocalDate.now() : LocalDate.parse(text);
        } catch (DateTimeParseException e) {
            throw new InvalidTripException("not a date: " + text);
        }
    }
}
