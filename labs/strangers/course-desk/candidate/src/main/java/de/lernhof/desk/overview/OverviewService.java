package de.lernhof.desk.overview;

import de.lernhof.desk.billing.Invoice;
import de.lernhof.desk.billing.InvoiceRepository;
import de.lernhof.desk.course.Course;
import de.lernhof.desk.course.CourseRepository;
import de.lernhof.desk.course.Enrolment;
import de.lernhof.desk.course.EnrolmentRepository;
import de.lernhof.desk.course.Lesson;
import de.lernhof.desk.course.LessonRepository;
import de.lernhof.desk.people.Notice;
import de.lernhof.desk.people.NoticeRepository;
import de.lernhof.desk.people.Participant;
import de.lernhof.desk.people.ParticipantRepository;

import java.time.LocalDate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.data.domain.Limit;
import org.springframework.stereotype.Service;
import org.springframework.transaction.annotation.Transactional;

@Service
@Transactional(readOnly = true)
public class OverviewService {

    private static final Logger log = LoggerFactory.getLogger(OverviewService.class);
    private static final int PROGRESS_YEARS = 5;
    private static final Limit SHORT_LIST = Limit.of(5);

    private final ParticipantRepository participants;
    private final NoticeRepository notices;
    private final EnrolmentRepository enrolments;
    private final CourseRepository courses;
    private final LessonRepository lessons;
    private final InvoiceRepository invoices;

    public OverviewService(ParticipantRepository participants, NoticeRepository notices,
            EnrolmentRepository enrolments, CourseRepository courses, LessonRepository lessons,
            InvoiceRepository invoices) {
        this.participants = participants;
        this.notices = notices;
        this.enrolments = enrolments;
        this.courses = courses;
        this.lessons = lessons;
        this.invoices = invoices;
    }

    public Overview of(Long id, LocalDate day) {
        Participant participant = participants.reachable(id)
                .orElseThrow(() -> new UnknownParticipantException(id));
        log.debug("overview of {} on {}", id, day);
        return new Overview(
                id,
                participant.getName(),
                participant.getMemberSince(),
                enrolments.inState(id, Enrolment.State.CONFIRMED).stream().map(OverviewService::booking).toList(),
                enrolments.waiting(id),
                lessons.upcoming(id, day.atStartOfDay(), SHORT_LIST).stream().map(OverviewService::nextLesson).toList(),
                enrolments.progress(id, day.minusYears(PROGRESS_YEARS)).stream()
                        .map(Overview.Progress::of)
                        .toList(),
                courses.suggestedFor(id, SHORT_LIST).stream().map(OverviewService::suggestion).toList(),
                invoices.unpaid(id).stream().map(invoice -> openInvoice(invoice, day)).toList(),
                invoices.paidBetween(id, day.withDayOfYear(1), day),
                notices.unread(id).stream().map(Notice::getText).toList(),
                notices.countOf(id));
    }

    private static Overview.Booking booking(Enrolment enrolment) {
        Course course = enrolment.getCourse();
        return new Overview.Booking(course.getCode(), course.getTitle(), enrolment.getEnrolledOn());
    }

    private static Overview.NextLesson nextLesson(Lesson lesson) {
        return new Overview.NextLesson(lesson.getCourse().getCode(), lesson.getStartsAt(), lesson.getRoom());
    }

    private static Overview.Suggestion suggestion(Course course) {
        return new Overview.Suggestion(course.getCode(), course.getTitle(), course.getFee());
    }

    private static Overview.OpenInvoice openInvoice(Invoice invoice, LocalDate day) {
        return new Overview.OpenInvoice(invoice.getNumber(), invoice.getAmount(), invoice.getDueOn(),
                invoice.getDueOn().isBefore(day));
    }
}
