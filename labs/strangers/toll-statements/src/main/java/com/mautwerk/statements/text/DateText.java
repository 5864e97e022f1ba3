package com.mautwerk.statements.text;

import com.mautwerk.statements.StatementProperties;

import java.time.LocalDateTime;
import java.time.YearMonth;
import java.time.format.DateTimeFormatter;
import org.springframework.stereotype.Component;

@Component
public class DateText {

    private final DateTimeFormatter moment;
    private final DateTimeFormatter month;

    public DateText(StatementProperties properties) {
        this.moment = DateTimeFormatter.ofPattern("dd.MM. HH:mm", properties.locale());
        this.month = DateTimeFormatter.ofPattern("MMMM yyyy", properties.locale());
    }

    public String moment(LocalDateTime value) {
        return moment.format(value);
    }

    public String month(YearMonth value) {
        return month.format(value);
    }
}
