package de.lernhof.desk.people;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.time.LocalDate;

@Entity
@Table(name = "participant")
public class Participant {

    @Id
    private Long id;

    @Column(nullable = false, length = 60)
    private String name;

    @Column(nullable = false, length = 80)
    private String email;

    @Column(name = "member_since", nullable = false)
    private LocalDate memberSince;

    protected Participant() {
    }

    public Participant(Long id, String name, String email, LocalDate memberSince) {
        this.id = id;
        this.name = name;
        this.email = email;
        this.memberSince = memberSince;
    }

    public Long getId() {
        return id;
    }

    public String getName() {
        return name;
    }

    public String getEmail() {
        return email;
    }

    public LocalDate getMemberSince() {
        return memberSince;
    }
}
