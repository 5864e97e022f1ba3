package de.lernhof.desk.course;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.math.BigDecimal;

@Entity
@Table(name = "course")
public class Course {

    @Id
    @Column(length = 8)
    private String code;

    @Column(nullable = false, length = 80)
    private String title;

    @Column(nullable = false, length = 20)
    private String subject;

    @Column(name = "course_level", nullable = false)
    private int level;

    @Column(nullable = false, precision = 8, scale = 2)
    private BigDecimal fee;

    @Column(nullable = false)
    private int places;

    protected Course() {
    }

    public Course(String code, String title, String subject, int level, BigDecimal fee, int places) {
        this.code = code;
        this.title = title;
        this.subject = subject;
        this.level = level;
        this.fee = fee;
        this.places = places;
    }

    public String getCode() {
        return code;
    }

    public String getTitle() {
        return title;
    }

    public String getSubject() {
        return subject;
    }

    public int getLevel() {
        return level;
    }

    public BigDecimal getFee() {
        return fee;
    }

    public int getPlaces() {
        return places;
    }
}
