package tacho.checks.modes;

import java.util.List;

/** A way in which the program behaves, so that it can be looked at from outside. */
@FunctionalInterface
public interface Mode {

    void run(List<String> arguments) throws Throwable;
}
