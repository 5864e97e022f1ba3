package tacho.checks.modes;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.List;

/** Arguments, standard input and output. */
final class Echo {

    private Echo() {}

    static void arguments(List<String> arguments) {
        System.out.println(arguments + " and " + arguments.size());
    }

    static void lines(List<String> arguments) throws IOException {
        int count = 0;
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            System.out.println(line.toUpperCase());
            count++;
        }
        System.err.println(count + " lines, a console "
                + (System.console() != null && System.console().isTerminal()));
    }

    static void bytes(List<String> arguments) throws IOException {
        System.in.transferTo(System.out);
        System.out.flush();
    }

    /** Until nobody reads any more, which ends the writing and not the program. */
    static void manyLines(List<String> arguments) {
        long written = 0;
        while (!System.out.checkError()) {
            System.out.println("line " + written++);
        }
        System.err.println("nobody reads any more");
    }
}
