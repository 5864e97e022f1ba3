package de.lernhof.desk.overview;

public class UnknownParticipantException extends RuntimeException {

    public UnknownParticipantException(Long id) {
        super("no participant " + id);
    }
}
