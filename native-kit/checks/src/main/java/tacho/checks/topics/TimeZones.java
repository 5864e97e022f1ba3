package tacho.checks.topics;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.time.chrono.JapaneseDate;
import java.time.chrono.ThaiBuddhistDate;
import java.time.format.DateTimeFormatter;
import java.time.format.FormatStyle;
import java.time.zone.ZoneRulesProvider;
import java.util.Calendar;
import java.util.Date;
import java.util.GregorianCalendar;
import java.util.Locale;
import java.util.TimeZone;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Time zones and calendars. */
final class TimeZones implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("zones.summer time begins", "2025-03-30T01:59:59+01:00 2025-03-30T03:00+02:00", () -> {
            ZonedDateTime before = Instant.parse("2025-03-30T00:59:59Z").atZone(ZoneId.of("Europe/Berlin"));
            return before.toOffsetDateTime() + " " + before.plusSeconds(1).toOffsetDateTime();
        });
        checks.check(
                "zones.an hour twice",
                "2025-11-02T01:30-04:00[America/New_York] 2025-11-02T01:30-05:00[America/New_York]",
                () -> {
                    ZonedDateTime twice =
                            LocalDateTime.parse("2025-11-02T01:30").atZone(ZoneId.of("America/New_York"));
                    return twice.withEarlierOffsetAtOverlap() + " " + twice.withLaterOffsetAtOverlap();
                });
        checks.check(
                "zones.of half an hour",
                "2025-01-01T00:00+10:30[Australia/Lord_Howe]".replace("10:30", "11:00"),
                () -> LocalDate.of(2025, 1, 1).atStartOfDay(ZoneId.of("Australia/Lord_Howe")));
        checks.check("zones.a day left out", "PT-10H then PT14H", () -> {
            var rules = ZoneId.of("Pacific/Apia").getRules();
            return java.time.Duration.ofSeconds(rules.getOffset(Instant.parse("2011-12-29T00:00:00Z"))
                            .getTotalSeconds())
                    + " then "
                    + java.time.Duration.ofSeconds(rules.getOffset(Instant.parse("2011-12-31T12:00:00Z"))
                            .getTotalSeconds());
        });
        checks.alike(
                "zones.how many",
                () -> ZoneId.getAvailableZoneIds().size() + " and " + TimeZone.getAvailableIDs().length);
        checks.alike(
                "zones.version of their rules",
                () -> ZoneRulesProvider.getVersions("UTC").lastEntry().getKey());
        checks.check("zones.of the old kind", "19800000 true", () -> {
            TimeZone zone = TimeZone.getTimeZone("Asia/Kolkata");
            return zone.getOffset(0) + " "
                    + TimeZone.getTimeZone("Europe/Paris").inDaylightTime(new Date(1_720_000_000_000L));
        });
        checks.check("zones.named", "Central European Summer Time, CET", () -> {
            ZonedDateTime summer = Instant.parse("2025-07-01T12:00:00Z").atZone(ZoneId.of("Europe/Berlin"));
            return DateTimeFormatter.ofPattern("zzzz", Locale.US).format(summer) + ", "
                    + DateTimeFormatter.ofPattern("z", Locale.US).format(summer.withMonth(1));
        });
        checks.alike("zones.formatted in full", () -> DateTimeFormatter.ofLocalizedDateTime(FormatStyle.FULL)
                .withLocale(Locale.US)
                .format(Instant.parse("2025-07-01T12:00:00Z").atZone(ZoneId.of("America/Los_Angeles"))));
        checks.check("zones.a leap day", "2024-02-29 366", () -> {
            Calendar calendar = new GregorianCalendar(TimeZone.getTimeZone("UTC"), Locale.ROOT);
            calendar.clear();
            calendar.set(2024, Calendar.FEBRUARY, 29);
            return calendar.toInstant().toString().substring(0, 10) + " "
                    + calendar.getActualMaximum(Calendar.DAY_OF_YEAR);
        });
        checks.check("zones.other calendars", "Japanese Reiwa 1-05-01, ThaiBuddhist BE 2562-05-01", () -> {
            LocalDate day = LocalDate.of(2019, 5, 1);
            return JapaneseDate.from(day) + ", " + ThaiBuddhistDate.from(day);
        });
    }
}
