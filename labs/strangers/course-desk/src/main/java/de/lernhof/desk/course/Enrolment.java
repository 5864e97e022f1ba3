package de.lernhof.desk.course;

import de.lernhof.desk.people.Participant;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.EnumType;
import jakarta.persistence.Enumerated;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.time.LocalDate;

@Entity
@Table(name = "enrolment", indexes = {@Index(columnList = "participant_id"), @Index(columnList = "course_code")})
public class Enrolment {

    public enum State { CONFIRMED, WAITING, COMPLETED, CANCELLED }

    @Id
    private Long id;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "participant_id")
    private Participant participant;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "course_code")
    private Course course;

    @Enumerated(EnumType.STRING)
    @Column(nullable = false, length = 12)
    private State state;

    @Column(name = "enrolled_on", nullable = false)
    private LocalDate enrolledOn;

    protected Enrolment() {
    }

    public Enrolment(Long id, Participant participant, Course course, State state, LocalDate enrolledOn) {
        this.id = id;
        this.participant = participant;
        this.course = course;
        this.state = state;
        this.enrolledOn = enrolledOn;
    }

    public Long getId() {
        return id;
    }

    public Course getCourse() {
        return course;
    }

    public State getState() {
        return state;
    }

    public LocalDate getEnrolledOn() {
        return enrolledOn;
    }
}
