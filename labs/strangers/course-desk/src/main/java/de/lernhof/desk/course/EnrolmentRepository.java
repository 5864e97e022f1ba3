package de.lernhof.desk.course;

import java.time.LocalDate;
import java.util.List;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

public interface EnrolmentRepository extends CrudRepository<Enrolment, Long> {

    @Query("""
            select e from Enrolment e join fetch e.course c
             where e.participant.id = :participant and e.state = :state
             order by e.enrolledOn, e.id""")
    List<Enrolment> inState(Long participant, Enrolment.State state);

    @Query("""
            select new de.lernhof.desk.course.WaitingPosition(c.code, c.title, (
                   select count(o) from Enrolment o
                    where o.course = c and o.state = WAITING and o.enrolledOn < e.enrolledOn))
              from Enrolment e join e.course c
             where e.participant.id = :participant and e.state = WAITING
             order by c.code""")
    List<WaitingPosition> waiting(Long participant);

    @Query("""
            select c.subject as subject, count(e) as courses, max(c.level) as level
              from Enrolment e join e.course c
             where e.participant.id = :participant and e.state = COMPLETED and e.enrolledOn >= :since
             group by c.subject
             order by c.subject""")
    List<SubjectProgress> progress(Long participant, LocalDate since);

    @Query("select count(e) from Enrolment e where e.course.code = :course and e.state = CONFIRMED")
    long taken(String course);
}
