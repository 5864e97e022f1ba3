package de.lernhof.desk.course;

public interface SubjectProgress {

    String getSubject();

    long getCourses();

    int getLevel();
}
