package de.lernhof.desk.course;

import java.time.LocalDateTime;
import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

public interface LessonRepository extends CrudRepository<Lesson, Long> {

    @Query("""
            select l from Lesson l join fetch l.course c
             where l.startsAt >= :from
               and c.code in (
                   select e.course.code from Enrolment e
                    where e.participant.id = :participant and e.state = CONFIRMED)
             order by l.startsAt, l.id""")
    List<Lesson> upcoming(Long participant, LocalDateTime from, Limit limit);

    @Query("select l from Lesson l where l.course.code = :course order by l.startsAt")
    List<Lesson> of(String course);
}
