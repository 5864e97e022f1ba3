package de.lernhof.desk.course;

import java.util.List;
import org.springframework.data.domain.Limit;
import org.springframework.data.jpa.repository.Query;
import org.springframework.data.repository.CrudRepository;

public interface CourseRepository extends CrudRepository<Course, String> {

    @Query("""
            select c from Course c
             where c.subject in (
                   select e.course.subject from Enrolment e
                    where e.participant.id = :participant and e.state = COMPLETED)
               and not exists (
                   select 1 from Enrolment o
                    where o.participant.id = :participant and o.course = c)
             order by c.level, c.code""")
    List<Course> suggestedFor(Long participant, Limit limit);
}
