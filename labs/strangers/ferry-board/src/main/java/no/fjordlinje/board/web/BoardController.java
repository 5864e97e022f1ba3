package no.fjordlinje.board.web;

import no.fjordlinje.board.board.BoardQuery;
import no.fjordlinje.board.board.BoardService;
import no.fjordlinje.board.board.Departure;
import no.fjordlinje.board.notice.Notice;
import no.fjordlinje.board.notice.NoticeBoard;

import java.time.LocalDateTime;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import reactor.core.publisher.Mono;

@RestController
public class BoardController {

    public record Board(String port, LocalDateTime from, List<Departure> departures) {
    }

    private final BoardService boards;
    private final NoticeBoard notices;

    public BoardController(BoardService boards, NoticeBoard notices) {
        this.boards = boards;
        this.notices = notices;
    }

    @GetMapping("/ports/{port}/departures")
    public Mono<Board> departures(@PathVariable String port, @RequestParam LocalDateTime from,
            @RequestParam(defaultValue = "12") int limit) {
        return boards.departures(new BoardQuery(port, from, limit))
                .map(departures -> new Board(port, from, departures));
    }

    @PostMapping("/notices")
    @ResponseStatus(HttpStatus.ACCEPTED)
    public void post(@RequestBody Notice notice) {
        notices.post(notice);
    }
}
