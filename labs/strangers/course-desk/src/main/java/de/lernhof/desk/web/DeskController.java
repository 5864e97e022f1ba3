package de.lernhof.desk.web;

import de.lernhof.desk.course.Course;
import de.lernhof.desk.course.CourseRepository;
import de.lernhof.desk.course.EnrolmentRepository;
import de.lernhof.desk.course.LessonRepository;
import de.lernhof.desk.overview.Overview;
import de.lernhof.desk.overview.OverviewService;
import de.lernhof.desk.overview.UnknownParticipantException;

import java.time.LocalDate;
import org.springframework.format.annotation.DateTimeFormat;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
public class DeskController {

    public record CourseView(String code, String title, long freePlaces, int lessons) {
    }

    private final OverviewService overviews;
    private final CourseRepository courses;
    private final EnrolmentRepository enrolments;
    private final LessonRepository lessons;

    public DeskController(OverviewService overviews, CourseRepository courses, EnrolmentRepository enrolments,
            LessonRepository lessons) {
        this.overviews = overviews;
        this.courses = courses;
        this.enrolments = enrolments;
        this.lessons = lessons;
    }

    @GetMapping("/participants/{id}/overview")
    public Overview overview(@PathVariable Long id,
            @RequestParam @DateTimeFormat(iso = DateTimeFormat.ISO.DATE) LocalDate day) {
        return overviews.of(id, day);
    }

    @GetMapping("/courses/{code}")
    public CourseView course(@PathVariable String code) {
        Course course = courses.findById(code)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND));
        return new CourseView(code, course.getTitle(), course.getPlaces() - enrolments.taken(code),
                lessons.of(code).size());
    }

    @ExceptionHandler(UnknownParticipantException.class)
    ProblemDetail unknown(UnknownParticipantException e) {
        return ProblemDetail.forStatusAndDetail(HttpStatus.NOT_FOUND, e.getMessage());
    }
}
