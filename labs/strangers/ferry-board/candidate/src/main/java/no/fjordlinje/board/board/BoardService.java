package no.fjordlinje.board.board;

import no.fjordlinje.board.port.Port;
import no.fjordlinje.board.port.PortDirectory;
import no.fjordlinje.board.port.UnknownPortException;

import java.util.ArrayList;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.stereotype.Service;
import reactor.core.publisher.Mono;

@Service
public class BoardService {

    private static final Logger log = LoggerFactory.getLogger(BoardService.class);

    private final PortDirectory ports;
    private final DeparturePlanner planner;
    private final DepartureAssembler assembler;

    public BoardService(PortDirectory ports, DeparturePlanner planner, DepartureAssembler assembler) {
        this.ports = ports;
        this.planner = planner;
        this.assembler = assembler;
    }

    public Mono<List<Departure>> departures(BoardQuery query) {
        return ports.find(query.port())
                .switchIfEmpty(Mono.error(() -> new UnknownPortException(query.port())))
                .map(port -> departures(port, query));
    }

    private List<Departure> departures(Port port, BoardQuery query) {
        List<DeparturePlanner.Planned> planned = planner.plan(port, query);
        List<Departure> departures = new ArrayList<>(planned.size());
        for (DeparturePlanner.Planned sailing : planned) {
            departures.add(assembler.assemble(sailing, port));
        }
        log.debug("{} departures from {} after {}", departures.size(), port.code(), query.from());
        return departures;
    }
}
