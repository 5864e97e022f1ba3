package de.lernhof.desk.people;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.LocalDate;

@Entity
@Table(name = "notice", indexes = @Index(columnList = "participant_id"))
public class Notice {

    @Id
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "participant_id")
    private Participant participant;

    @Column(nullable = false, length = 160)
    private String text;

    @Column(name = "sent_on", nullable = false)
    private LocalDate sentOn;

    @Column(name = "is_read", nullable = false)
    private boolean read;

    protected Notice() {
    }

    public Notice(Long id, Participant participant, String text, LocalDate sentOn, boolean read) {
        this.id = id;
        this.participant = participant;
        this.text = text;
        this.sentOn = sentOn;
        this.read = read;
    }

    public String getText() {
        return text;
    }

    public LocalDate getSentOn() {
        return sentOn;
    }
}
