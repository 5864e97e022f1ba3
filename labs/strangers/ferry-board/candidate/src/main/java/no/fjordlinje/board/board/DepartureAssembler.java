package no.fjordlinje.board.board;

import no.fjordlinje.board.BoardProperties;
import no.fjordlinje.board.notice.Notice;
import no.fjordlinje.board.notice.NoticeBoard;
import no.fjordlinje.board.port.Port;
import no.fjordlinje.board.port.PortDirectory;
import no.fjordlinje.board.timetable.Sailing;

import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.util.Map;
import java.util.stream.Collectors;
import org.springframework.stereotype.Component;

/** Brings together the timetable and what is reported of a sailing. */
@Component
class DepartureAssembler {

    private final NoticeBoard notices;
    private final ZoneId zone;
    private final Map<String, String> names;

    DepartureAssembler(NoticeBoard notices, PortDirectory ports, BoardProperties properties) {
        this.notices = notices;
        this.zone = properties.zone();
        this.names = ports.all().stream().collect(Collectors.toUnmodifiableMap(Port::code, Port::name));
    }

    Departure assemble(DeparturePlanner.Planned planned, Port port) {
        Sailing sailing = planned.sailing();
        OffsetDateTime leaves = planned.leaves().atZone(zone).toOffsetDateTime();
        Notice notice = notices.of(sailing.number()).orElse(null);
        if (notice == null) {
            return departure(sailing, leaves, leaves, sailing.quay(), "on time", null);
        }
        return switch (notice.kind()) {
            case CANCELLED -> departure(sailing, leaves, null, sailing.quay(), "cancelled", notice.reason());
            case DELAYED -> departure(sailing, leaves, leaves.plus(notice.delay()), sailing.quay(), "delayed",
                    notice.reason());
            case OTHER_QUAY -> departure(sailing, leaves, leaves, sailing.quay() % port.quays() + 1, "other quay",
                    notice.reason());
        };
    }

    private Departure departure(Sailing sailing, OffsetDateTime planned, OffsetDateTime expected, int quay,
            String status, String remark) {
        OffsetDateTime arrives = expected == null ? null : expected.plus(sailing.crossing());
        return new Departure(sailing.number(), sailing.vessel(), names.get(sailing.to()), planned, expected, arrives,
                Integer.toString(quay), status, remark);
    }
}
