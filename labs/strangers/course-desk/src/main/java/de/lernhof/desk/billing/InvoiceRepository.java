package de.lernhof.desk.billing;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

public interface InvoiceRepository extends CrudRepository<Invoice, String> {

    @Query("""
            select i from Invoice i
             where i.participant.id = :participant and i.paidOn is null
             order by i.dueOn, i.number""")
    List<Invoice> unpaid(Long participant);

    @Query("""
            select coalesce(sum(i.amount), 0) from Invoice i
             where i.participant.id = :participant and i.paidOn between :from and :to""")
    BigDecimal paidBetween(Long participant, LocalDate from, LocalDate to);
}
