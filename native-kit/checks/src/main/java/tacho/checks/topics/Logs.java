package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.FileHandler;
import java.util.logging.Level;
import java.util.logging.LogManager;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import java.util.logging.SimpleFormatter;
import java.util.logging.StreamHandler;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Topic;

/** Logging as the JDK has it. */
final class Logs implements Topic {

    @Override
    public void check(Checks checks) {
        checks.check("logs.formatted", "INFO tacho.checks: 3 things", () -> {
            ByteArrayOutputStream written = new ByteArrayOutputStream();
            Logger logger = Logger.getAnonymousLogger();
            logger.setUseParentHandlers(false);
            StreamHandler handler = new StreamHandler(written, new SimpleFormatter() {
                @Override
                public String format(LogRecord entry) {
                    return entry.getLevel() + " tacho.checks: " + formatMessage(entry);
                }
            });
            logger.addHandler(handler);
            logger.log(Level.INFO, "{0} things", 3);
            logger.fine("not seen");
            handler.flush();
            return written;
        });
        checks.check("logs.to a file", 2, Scratch.with(scratch -> {
            Path file = scratch.path("log");
            FileHandler handler = new FileHandler(file.toString());
            handler.setFormatter(new SimpleFormatter());
            handler.publish(new LogRecord(Level.WARNING, "into the file"));
            handler.close();
            return Files.readAllLines(file).size();
        }));
        checks.check("logs.set up by properties", "FINER from configured.logger", () -> {
            LogManager.getLogManager()
                    .updateConfiguration(
                            new ByteArrayInputStream("configured.logger.level=FINER".getBytes(UTF_8)), null);
            Logger logger = Logger.getLogger("configured.logger");
            return logger.getLevel() + " from " + logger.getName();
        });
        checks.check("logs.the platform's own", "checks true true", () -> {
            System.Logger logger = System.getLogger("checks");
            return logger.getName() + " " + logger.isLoggable(System.Logger.Level.INFO) + " "
                    + !logger.isLoggable(System.Logger.Level.TRACE);
        });
    }
}
