package se.skargardslinjen.fares.pricing;

import java.time.LocalDate;

import jakarta.enterprise.context.ApplicationScoped;

import se.skargardslinjen.fares.domain.Season;

@ApplicationScoped
public class SeasonCalendar {

    public Season seasonOf(LocalDate date) {
        int monthDay = date.getMonthValue() * 100 + date.getDayOfMonth();
        if (monthDay >= 615 && monthDay <= 820) {
            return Season.SUMMER;
        }
        if (monthDay >= 401 && monthDay < 615) {
            return Season.SPRING;
        }
        if (monthDay > 820 && monthDay <= 1115) {
            return Season.AUTUMN;
        }
        return Season.WINTER;
    }

    public boolean weekend(LocalDate date) {
        return switch (date.getDayOfWeek()) {
            case FRIDAY, SATURDAY, SUNDAY -> true;
            default -> false;
        };
    }
}
