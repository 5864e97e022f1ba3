package de.pruefwerk.recalls.status;

import java.time.LocalDate;
import java.util.List;

public record RecallStatus(String vin, Verdict verdict, int open, List<Entry> entries) {

    public enum Verdict { CLEAR, REPAIR_DUE, DO_NOT_DRIVE }

    public record Entry(String campaign, String defect, String remedy, int hazard, LocalDate published,
            LocalDate mended, String workshop) {
    }
}
