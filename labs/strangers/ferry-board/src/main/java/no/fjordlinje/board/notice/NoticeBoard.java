package no.fjordlinje.board.notice;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.stereotype.Component;

@Component
public class NoticeBoard {

    private final Map<String, Notice> notices = new ConcurrentHashMap<>();

    public NoticeBoard() {
        post(new Notice("F103", Notice.Kind.DELAYED, Duration.ofMinutes(15), "fog"));
        post(new Notice("F107", Notice.Kind.CANCELLED, Duration.ZERO, "technical fault"));
        post(new Notice("F131", Notice.Kind.DELAYED, Duration.ofMinutes(40), "late arrival"));
        post(new Notice("F140", Notice.Kind.OTHER_QUAY, Duration.ZERO, "works at the quay"));
    }

    public void post(Notice notice) {
        notices.put(notice.sailing(), notice);
    }

    public Optional<Notice> of(String sailing) {
        return Optional.ofNullable(notices.get(sailing));
    }
}
