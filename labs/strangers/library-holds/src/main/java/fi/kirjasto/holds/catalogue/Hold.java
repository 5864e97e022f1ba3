package fi.kirjasto.holds.catalogue;

import java.time.LocalDate;

public record Hold(String id, String card, String isbn, String branch, LocalDate placed, int position) {
}
