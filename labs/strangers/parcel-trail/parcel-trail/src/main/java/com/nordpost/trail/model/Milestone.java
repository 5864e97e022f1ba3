package com.nordpost.trail.model;

import java.time.OffsetDateTime;

public record Milestone(MilestoneKind kind, OffsetDateTime at, String depot, String country) {
}
