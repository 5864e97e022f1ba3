package com.nordpost.trail.model;

import java.util.Map;

public enum MilestoneKind {
    ANNOUNCED("Announced by the sender"),
    ACCEPTED("Handed over to us"),
    SORTED("Sorted in %s"),
    CUSTOMS("In customs clearance"),
    LOADED("Out for delivery from %s"),
    DELIVERED("Delivered"),
    OTHER("Processed in %s");

    private static final Map<String, MilestoneKind> BY_CODE = Map.of(
            "PRE", ANNOUNCED, "ACC", ACCEPTED, "SRT", SORTED, "CUS", CUSTOMS, "OFD", LOADED, "DLV", DELIVERED);

    private final String text;

    MilestoneKind(String text) {
        this.text = text;
    }

    public static MilestoneKind ofCode(String code) {
        return BY_CODE.getOrDefault(code, OTHER);
    }

    public String describe(String depot) {
        return text.replace("%s", depot);
    }
}
