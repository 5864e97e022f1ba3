package no.fjordlinje.board.port;

import org.springframework.http.HttpStatus;
import org.springframework.web.server.ResponseStatusException;

public class UnknownPortException extends ResponseStatusException {

    public UnknownPortException(String code) {
        super(HttpStatus.NOT_FOUND, "no ferry of ours calls at " + code);
    }
}
