package fi.kirjasto.holds.remote;

import java.time.LocalDate;

public record RemoteHold(String reference, String library, String title, LocalDate due, String state) {
}
