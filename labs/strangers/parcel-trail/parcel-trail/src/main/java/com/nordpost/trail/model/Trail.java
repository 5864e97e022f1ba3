package com.nordpost.trail.model;

import java.util.Comparator;
import java.util.List;

public record Trail(String parcel, List<Milestone> milestones) {

    public Trail {
        milestones = milestones.stream().sorted(Comparator.comparing(Milestone::at)).toList();
    }

    public MilestoneKind state() {
        return milestones.isEmpty() ? MilestoneKind.ANNOUNCED : milestones.get(milestones.size() - 1).kind();
    }

    public long countries() {
        return milestones.stream().map(Milestone::country).distinct().count();
    }
}
