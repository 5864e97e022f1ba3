package com.flinkfahrt.rides.http;

import com.flinkfahrt.rides.estimate.Estimate;
import com.flinkfahrt.rides.estimate.EstimateService;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

public class EstimateHandler implements Resource {

    private final EstimateService service;

    public EstimateHandler(EstimateService service) {
        this.service = service;
    }

    @Override
    public Object get(Query query) {
        int from = query.number("from", 0, 99);
        int to = query.number("to", 0, 99);
        List<Map<String, Object>> offers = new ArrayList<>();
        for (Estimate estimate : service.estimates(from, to)) {
            Map<String, Object> offer = new LinkedHashMap<>();
            offer.put("vehicle", estimate.vehicle().name().toLowerCase());
            offer.put("stand", estimate.stand());
            offer.put("pickupMinutes", (estimate.pickupSeconds() + 59) / 60);
            offer.put("rideMinutes", (estimate.rideSeconds() + 59) / 60);
            offer.put("meters", estimate.meters());
            offer.put("cents", estimate.cents());
            offers.add(offer);
        }
        Map<String, Object> answer = new LinkedHashMap<>();
        answer.put("from", from);
        answer.put("to", to);
        answer.put("offers", offers);
        return answer;
    }
}
