package eu.palettino.quotes.web;

import eu.palettino.quotes.quote.CarrierQuote;
import eu.palettino.quotes.quote.QuoteService;
import eu.palettino.quotes.quote.Shipment;
import eu.palettino.quotes.rates.Postcode;

import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

@RestController
public class QuoteController {

    public record Comparison(String zone, int chargeableKg, List<CarrierQuote> quotes) {
    }

    private final QuoteService quotes;

    public QuoteController(QuoteService quotes) {
        this.quotes = quotes;
    }

    @GetMapping("/quotes")
    public Comparison compare(@RequestParam String from, @RequestParam String to,
            @RequestParam(defaultValue = "1") int pallets, @RequestParam int kg) {
        Shipment shipment = new Shipment(new Postcode(from), new Postcode(to), pallets, kg);
        return new Comparison(shipment.zone().name(), shipment.chargeableKg(), quotes.compare(shipment));
    }

    @ExceptionHandler(IllegalArgumentException.class)
    ProblemDetail invalid(IllegalArgumentException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_REQUEST, e.getMessage());
    }
}
