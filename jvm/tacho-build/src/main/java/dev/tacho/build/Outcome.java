package dev.tacho.build;

import java.util.Arrays;
import java.util.Optional;

/** What an exit code of Tacho means to a build (docs/certificate.md). */
public enum Outcome {
    /** Nothing speaks against the numbers. */
    DONE(0, Verdict.GOOD, ""),
    /** A check does not hold for what was built. */
    CHECK_FAILED(1, Verdict.FAILURE, "a check does not hold; the summary above says which"),
    /** The build's own settings. */
    WRONG_USAGE(2, Verdict.ERROR, "Tacho does not understand its arguments or the experiment; see its message above"),
    /** Nothing can be said of the build. */
    INVALID(
            3,
            Verdict.FAILURE,
            "a launch failed, or the certificate is invalid: these numbers say nothing of the build"),
    /** The machine. */
    MACHINE(4, Verdict.ERROR, "the machine lacks something; `tacho doctor` says what, and how to mend it"),
    /** The user. */
    INTERRUPTED(130, Verdict.ERROR, "interrupted");

    /** A failure is what was measured; everything else that is not good is an error. */
    public enum Verdict {
        /** The build goes on. */
        GOOD,
        /** What was built is not good enough. */
        FAILURE,
        /** It could not be found out. */
        ERROR
    }

    private final int code;
    private final Verdict verdict;
    private final String meaning;

    Outcome(int code, Verdict verdict, String meaning) {
        this.code = code;
        this.verdict = verdict;
        this.meaning = meaning;
    }

    /** Empty: a code that the program does not have. */
    public static Optional<Outcome> of(int code) {
        return Arrays.stream(values()).filter(outcome -> outcome.code == code).findFirst();
    }

    public Verdict verdict() {
        return verdict;
    }

    /** For people; empty where there is nothing to say. */
    public String meaning() {
        return meaning;
    }
}
