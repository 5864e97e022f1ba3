package de.lernhof.desk.sample;

import de.lernhof.desk.billing.Invoice;
import de.lernhof.desk.course.Course;
import de.lernhof.desk.course.Enrolment;
import de.lernhof.desk.course.Lesson;
import de.lernhof.desk.people.Notice;
import de.lernhof.desk.people.Participant;

import jakarta.persistence.EntityManager;
import java.math.BigDecimal;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.stereotype.Component;
import org.springframework.transaction.support.TransactionTemplate;

/** An invented spring term, there before the first request is answered. */
@Component
public class SampleTerm implements SmartInitializingSingleton {

    private static final LocalDate START = LocalDate.of(2025, 3, 3);
    private static final String[] SUBJECTS = {"Italian", "Pottery", "Bookkeeping", "Yoga", "Photography", "Swedish"};
    private static final String[] ROOMS = {"Aula", "A12", "B03", "Studio", "Werkstatt"};
    private static final String[] NAMES = {"Albers", "Brandt", "Cordes", "Dierks", "Ehlers", "Focken", "Gerdes"};

    private final EntityManager entities;
    private final SampleProperties properties;
    private final TransactionTemplate transactions;
    private final Random random = new Random(3003);
    private long ids;

    public SampleTerm(EntityManager entities, SampleProperties properties, TransactionTemplate transactions) {
        this.entities = entities;
        this.properties = properties;
        this.transactions = transactions;
    }

    @Override
    public void afterSingletonsInstantiated() {
        transactions.executeWithoutResult(status -> fill());
    }

    private void fill() {
        List<Course> courses = new ArrayList<>();
        for (int i = 1; i <= properties.courses(); i++) {
            courses.add(course(i));
        }
        for (int i = 1; i <= properties.participants(); i++) {
            participant(i, courses);
        }
    }

    private Course course(int i) {
        String subject = SUBJECTS[i % SUBJECTS.length];
        int level = 1 + i / SUBJECTS.length % 4;
        Course course = new Course(String.format(Locale.ROOT, "K%03d", i), subject + " " + level, subject, level,
                BigDecimal.valueOf(4_500 + random.nextInt(20_000), 2), 12);
        entities.persist(course);
        for (int week = 0; week < 10; week++) {
            entities.persist(new Lesson(++ids, course,
                    START.plusWeeks(week).plusDays(i % 5).atTime(17 + i % 4, 30), ROOMS[i % ROOMS.length]));
        }
        return course;
    }

    private void participant(int i, List<Course> courses) {
        String name = NAMES[random.nextInt(NAMES.length)];
        Participant participant = new Participant((long) i, name, name.toLowerCase(Locale.ROOT) + i + "@example.org",
                START.minusDays(random.nextInt(3_000)));
        entities.persist(participant);
        List<Course> shuffled = new ArrayList<>(courses);
        Collections.shuffle(shuffled, random);
        Enrolment.State[] states = Enrolment.State.values();
        for (int n = 0; n < 8; n++) {
            entities.persist(new Enrolment(++ids, participant, shuffled.get(n), states[n % states.length],
                    START.minusDays(10 + random.nextInt(900))));
        }
        for (int n = 0; n < 5; n++) {
            LocalDate due = START.minusDays(60).plusDays(random.nextInt(120));
            entities.persist(new Invoice(String.format(Locale.ROOT, "R-%05d-%d", i, n), participant,
                    BigDecimal.valueOf(4_500 + random.nextInt(20_000), 2), due, n < 3 ? due.minusDays(4) : null));
            entities.persist(new Notice(++ids, participant, "Notice " + n + " to " + name, due, n % 2 == 0));
        }
    }
}
