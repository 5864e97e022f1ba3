package de.lernhof.desk.billing;

import de.lernhof.desk.people.Participant;

import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.Index;
import jakarta.persistence.JoinColumn;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.Table;
import java.math.BigDecimal;
import java.time.LocalDate;

@Entity
@Table(name = "invoice", indexes = @Index(columnList = "participant_id"))
public class Invoice {

    @Id
    @Column(length = 16)
    private String number;

    @ManyToOne(fetch = FetchType.LAZY, optional = false)
    @JoinColumn(name = "participant_id")
    private Participant participant;

    @Column(nullable = false, precision = 8, scale = 2)
    private BigDecimal amount;

    @Column(name = "due_on", nullable = false)
    private LocalDate dueOn;

    @Column(name = "paid_on")
    private LocalDate paidOn;

    protected Invoice() {
    }

    public Invoice(String number, Participant participant, BigDecimal amount, LocalDate dueOn, LocalDate paidOn) {
        this.number = number;
        this.participant = participant;
        this.amount = amount;
        this.dueOn = dueOn;
        this.paidOn = paidOn;
    }

    public String getNumber() {
        return number;
    }

    public BigDecimal getAmount() {
        return amount;
    }

    public LocalDate getDueOn() {
        return dueOn;
    }
}
