package io.stromfluss.readings.export;

import java.time.Duration;

public class ExportTooLongException extends RuntimeException {

    public ExportTooLongException(int days, Duration longest) {
        super(days + " days are more than the " + longest.toDays() + " that can be had at once");
    }
}
