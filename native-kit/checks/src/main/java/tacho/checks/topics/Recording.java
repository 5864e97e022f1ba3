package tacho.checks.topics;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import jdk.jfr.Event;
import jdk.jfr.FlightRecorder;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Topic;

/** JDK Flight Recorder. */
final class Recording implements Topic {

    /** An own event. */
    @Name("tacho.checks.Counted")
    @Label("Counted")
    static final class Counted extends Event {
        @Label("Number")
        int number;
    }

    @Override
    public void check(Checks checks) {
        checks.check("JFR.available", true, FlightRecorder::isAvailable);
        checks.check(
                "JFR.started, stopped and read",
                "[tacho.checks.Counted 1, tacho.checks.Counted 2]",
                Scratch.with(scratch -> {
                    Path file = scratch.path("recording.jfr");
                    try (jdk.jfr.Recording recording = new jdk.jfr.Recording()) {
                        recording.enable(Counted.class);
                        recording.start();
                        for (int i = 1; i <= 2; i++) {
                            Counted event = new Counted();
                            event.number = i;
                            event.commit();
                        }
                        recording.stop();
                        recording.dump(file);
                    }
                    List<RecordedEvent> events = RecordingFile.readAllEvents(file);
                    return events.stream()
                            .filter(event -> event.getEventType().getName().startsWith("tacho"))
                            .map(event -> event.getEventType().getName() + " " + event.getInt("number"))
                            .toList();
                }));
        checks.check("JFR.a file is written", "FLR", Scratch.with(scratch -> {
            Path file = scratch.path("recording.jfr");
            try (jdk.jfr.Recording recording = new jdk.jfr.Recording()) {
                recording.start();
                recording.stop();
                recording.dump(file);
            }
            return new String(Files.readAllBytes(file), 0, 3);
        }));
    }
}
