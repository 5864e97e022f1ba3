package org.huettenbuch.web;

import java.time.LocalDate;
import org.springframework.boot.context.properties.ConfigurationProperties;

@ConfigurationProperties("huts")
public record HutProperties(LocalDate seasonStart, LocalDate seasonEnd) {

    public boolean inSeason(LocalDate date) {
        return !date.isBefore(seasonStart) && !date.isAfter(seasonEnd);
    }
}
