package no.fjordlinje.board.board;

import no.fjordlinje.board.BoardProperties;
import no.fjordlinje.board.notice.Notice;
import no.fjordlinje.board.notice.NoticeBoard;
import no.fjordlinje.board.port.Port;
import no.fjordlinje.board.port.PortDirectory;
import no.fjordlinje.board.port.UnknownPortException;
import no.fjordlinje.board.timetable.Sailing;
import no.fjordlinje.board.timetable.Timetable;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

@Service
public class BoardService {

    private final PortDirectory ports;
    private final Timetable timetable;
    private final NoticeBoard notices;
    private final BoardProperties properties;
    private final Map<String, String> names = new HashMap<>();

    public BoardService(PortDirectory ports, Timetable timetable, NoticeBoard notices, BoardProperties properties) {
        this.ports = ports;
        this.timetable = timetable;
        this.notices = notices;
        this.properties = properties;
        for (Port port : ports.all()) {
            names.put(port.code(), port.name());
        }
    }

    public Mono<List<Departure>> departures(BoardQuery query) {
        return ports.find(query.port())
                .switchIfEmpty(Mono.error(() -> new UnknownPortException(query.port())))
                .map(port -> departures(port, query));
    }

    private List<Departure> departures(Port port, BoardQuery query) {
        int limit = Math.min(query.limit(), properties.longest());
        List<Departure> departures = new ArrayList<>(limit);
        LocalDateTime end = query.from().plus(properties.lookAhead());
        for (LocalDate day = query.from().toLocalDate(); !day.isAfter(end.toLocalDate()); day = day.plusDays(1)) {
            for (Sailing sailing : timetable.from(port)) {
                LocalDateTime leaves = day.atTime(sailing.leaves());
                if (leaves.isBefore(query.from()) || leaves.isAfter(end) || !sailing.days().includes(day)) {
                    continue;
                }
                departures.add(departure(sailing, leaves, port));
                if (departures.size() == limit) {
                    return departures;
                }
            }
        }
        return departures;
    }

    private Departure departure(Sailing sailing, LocalDateTime leaves, Port port) {
        OffsetDateTime planned = leaves.atZone(properties.zone()).toOffsetDateTime();
        OffsetDateTime expected = planned;
        String quay = String.valueOf(sailing.quay());
        String status = "on time";
        String remark = null;
        Optional<Notice> notice = notices.of(sailing.number());
        if (notice.isPresent()) {
            remark = notice.get().reason();
            if (notice.get().kind() == Notice.Kind.CANCELLED) {
                status = "cancelled";
                expected = null;
            } else if (notice.get().kind() == Notice.Kind.DELAYED) {
                status = "delayed";
                expected = planned.plus(notice.get().delay());
            } else if (notice.get().kind() == Notice.Kind.OTHER_QUAY) {
                status = "other quay";
                quay = String.valueOf(sailing.quay() % port.quays() + 1);
            }
        }
        OffsetDateTime arrives = expected == null ? null : expected.plus(sailing.crossing());
        return new Departure(sailing.number(), sailing.vessel(), names.get(sailing.to()), planned, expected, arrives,
                quay, status, remark);
    }
}
