package de.lernhof.desk.course;

public record WaitingPosition(String course, String title, long ahead) {
}
