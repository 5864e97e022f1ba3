package com.gridhub.curves.site;

import java.util.List;

/** A building or plant with its meters. */
public record Site(String id, String name, Kind kind, List<String> meters) {

    public enum Kind { OFFICE, BAKERY, COLD_STORE, SCHOOL }
}
