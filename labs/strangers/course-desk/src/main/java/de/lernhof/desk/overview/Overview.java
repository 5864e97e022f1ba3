package de.lernhof.desk.overview;

import de.lernhof.desk.course.SubjectProgress;
import de.lernhof.desk.course.WaitingPosition;

import java.math.BigDecimal;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.List;

/** All that the desk wants to see when a participant stands in front of it. */
public record Overview(
        Long participant,
        String name,
        LocalDate memberSince,
        List<Booking> bookings,
        List<WaitingPosition> waiting,
        List<NextLesson> nextLessons,
        List<Progress> progress,
        List<Suggestion> suggestions,
        List<OpenInvoice> openInvoices,
        BigDecimal paidThisYear,
        List<String> unreadNotices,
        long notices) {

    public record Booking(String course, String title, LocalDate since) {
    }

    public record NextLesson(String course, LocalDateTime startsAt, String room) {
    }

    public record Progress(String subject, long courses, int level) {

        static Progress of(SubjectProgress progress) {
            return new Progress(progress.getSubject(), progress.getCourses(), progress.getLevel());
        }
    }

    public record Suggestion(String course, String title, BigDecimal fee) {
    }

    public record OpenInvoice(String number, BigDecimal amount, LocalDate dueOn, boolean overdue) {
    }
}
