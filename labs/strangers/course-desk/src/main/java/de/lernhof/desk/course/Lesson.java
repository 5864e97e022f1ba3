package de.lernhof.desk.course;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.LocalDateTime;

@Entity
@Table(name = "lesson", indexes = @Index(columnList = "course_code, starts_at"))
public class Lesson {

    @Id
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "course_code")
    private Course course;

    @Column(name = "starts_at", nullable = false)
    private LocalDateTime startsAt;

    @Column(nullable = false, length = 20)
    private String room;

    protected Lesson() {
    }

    public Lesson(Long id, Course course, LocalDateTime startsAt, String room) {
        this.id = id;
        this.course = course;
        this.startsAt = startsAt;
        this.room = room;
    }

    public Course getCourse() {
        return course;
    }

    public LocalDateTime getStartsAt() {
        return startsAt;
    }

    public String getRoom() {
        return room;
    }
}
