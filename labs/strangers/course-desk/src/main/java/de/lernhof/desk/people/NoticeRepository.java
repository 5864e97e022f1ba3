package de.lernhof.desk.people;

import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

public interface NoticeRepository extends CrudRepository<Notice, Long> {

    @Query("""
            select n from Notice n
             where n.participant.id = :participant and n.read = false
             order by n.sentOn desc, n.id""")
    List<Notice> unread(Long participant);

    @Query("select count(n) from Notice n where n.participant.id = :participant")
    long countOf(Long participant);
}
