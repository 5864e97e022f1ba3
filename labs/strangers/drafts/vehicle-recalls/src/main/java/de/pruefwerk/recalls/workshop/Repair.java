package de.pruefwerk.recalls.workshop;

import java.time.LocalDate;

public record Repair(String vin, String campaign, LocalDate done, String workshop) {
}
