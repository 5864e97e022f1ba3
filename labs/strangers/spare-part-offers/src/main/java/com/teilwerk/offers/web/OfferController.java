package com.teilwerk.offers.web;

import com.teilwerk.offers.demand.Demand;
import com.teilwerk.offers.demand.DemandRepository;
import com.teilwerk.offers.offer.Offer;
import com.teilwerk.offers.offer.OfferService;

import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
public class OfferController {

    private static final int MOST_PIECES = 500;

    private final OfferService offers;
    private final DemandRepository demand;

    public OfferController(OfferService offers, DemandRepository demand) {
        this.offers = offers;
        this.demand = demand;
    }

    @GetMapping("/parts/{partNo}/offer")
    public Offer offer(@PathVariable String partNo, @RequestParam(defaultValue = "1") int quantity) {
        if (quantity < 1 || quantity > MOST_PIECES) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "quantity out of range");
        }
        return offers.offer(partNo, quantity);
    }

    @GetMapping("/parts/{partNo}/demand")
    public Demand demand(@PathVariable String partNo) {
        return demand.of(partNo);
    }
}
