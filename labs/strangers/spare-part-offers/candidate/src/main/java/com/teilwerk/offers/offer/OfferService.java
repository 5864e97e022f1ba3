package com.teilwerk.offers.offer;

import com.teilwerk.offers.catalog.Part;
import com.teilwerk.offers.catalog.PartRepository;
import com.teilwerk.offers.demand.DemandRepository;
import com.teilwerk.offers.supplier.SupplierClient;
import com.teilwerk.offers.supplier.SupplierQuote;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

/** Makes offers; what is read and counted for an offer belongs together. */
@Service
@Transactional
public class OfferService {

    private static final Logger log = LoggerFactory.getLogger(OfferService.class);

    private final PartRepository parts;
    private final DemandRepository demand;
    private final SupplierClient supplier;
    private final OfferCalculator calculator;

    public OfferService(PartRepository parts, DemandRepository demand, SupplierClient supplier,
            OfferCalculator calculator) {
        this.parts = parts;
        this.demand = demand;
        this.supplier = supplier;
        this.calculator = calculator;
    }

    public Offer offer(String partNo, int quantity) {
        Part part = parts.get(partNo);
        SupplierQuote quote = supplier.quote(partNo);
        Offer offer = calculator.calculate(part, quote, quantity);
        demand.count(partNo, quantity);
        log.debug("offered {} x {} at {}", quantity, partNo, offer.total());
        return offer;
    }
}
