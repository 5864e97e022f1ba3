package dev.tacho.warmup.reactive;

import dev.tacho.warmup.mark.WarmUpMark;
import java.util.List;
import org.springframework.http.HttpHeaders;

/** The header of the mark among others. */
final class MarkHeader {

    private MarkHeader() {
    }

    /**
     * By methods that Spring 6 and 7 both have: most others were moved when headers ceased to be a
     * map.
     */
    static List<String> values(HttpHeaders headers, WarmUpMark mark) {
        if (headers.getFirst(mark.header()) == null) {
            return List.of();
        }
        List<String> values = headers.getValuesAsList(mark.header());
        return values.isEmpty() ? List.of("") : values;
    }
}
