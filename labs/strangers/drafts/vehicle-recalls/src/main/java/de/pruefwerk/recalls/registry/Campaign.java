package de.pruefwerk.recalls.registry;

import java.time.LocalDate;

/** A recall of a manufacturer as the registry publishes it. */
public record Campaign(String code, String manufacturer, LocalDate published, String defect, String remedy,
        int hazard) {
}
