package com.nordpost.trail.web;

import java.util.List;

import com.nordpost.trail.model.Milestone;
import com.nordpost.trail.model.Trail;

import io.micronaut.core.annotation.Introspected;

@Introspected
public record TrailView(String parcel, String state, long countries, List<StepView> steps) {

    @Introspected
    public record StepView(String at, String text, String country) {

        static StepView of(Milestone milestone) {
            return new StepView(milestone.at().toString(), milestone.kind().describe(milestone.depot()),
                    milestone.country());
        }
    }

    static TrailView of(Trail trail) {
        return new TrailView(trail.parcel(), trail.state().name(), trail.countries(),
                trail.milestones().stream().map(StepView::of).toList());
    }
}
