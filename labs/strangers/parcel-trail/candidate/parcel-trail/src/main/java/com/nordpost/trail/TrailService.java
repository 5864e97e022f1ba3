package com.nordpost.trail;

import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.nordpost.trail.carrier.CarrierClient;
import com.nordpost.trail.carrier.CarrierEvent;
import com.nordpost.trail.model.Milestone;
import com.nordpost.trail.model.MilestoneKind;
import com.nordpost.trail.model.ParcelNumber;
import com.nordpost.trail.model.Trail;

import jakarta.inject.Singleton;

@Singleton
public class TrailService {

    private final CarrierClient carrier;

    public TrailService(CarrierClient carrier) {
        this.carrier = carrier;
    }

    public Optional<Trail> trailOf(ParcelNumber parcel) {
        return carrier.events(parcel.value()).map(events -> new Trail(parcel.value(), milestones(events)));
    }

    private static List<Milestone> milestones(List<CarrierEvent> events) {
        List<Milestone> milestones = new ArrayList<>(events.size());
        for (CarrierEvent event : events) {
            milestones.add(milestone(event));
        }
        return milestones;
    }

    private static Milestone milestone(CarrierEvent event) {
        return new Milestone(MilestoneKind.ofCode(event.code()), OffsetDateTime.parse(event.at()), event.depot(),
                event.country());
    }
}
