package dev.tacho.maven;

import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;

/** What an exit code of Tacho means to a build (docs/certificate.md). */
enum Outcome {
    /** Nothing speaks against the numbers. */
    DONE(0, null),
    /** The build is to blame: what it made does not keep what was promised of it. */
    CHECK_FAILED(1, "a check does not hold; the summary above says which"),
    /** The build's own settings. */
    WRONG_USAGE(2, "Tacho does not understand what it was told; its words stand above"),
    /** Nothing can be said of the build. */
    INVALID(3, "a launch failed, or the certificate is invalid: these numbers say nothing of the build"),
    /** The machine. */
    MACHINE(4, "the machine lacks something; `tacho doctor` says what, and how to mend it"),
    /** The user. */
    INTERRUPTED(130, "interrupted");

    private final int code;
    private final String meaning;

    Outcome(int code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    static Outcome of(int code) throws MojoExecutionException {
        for (Outcome outcome : values()) {
            if (outcome.code == code) {
                return outcome;
            }
        }
        throw new MojoExecutionException("Tacho ended with exit code " + code + ", which it does not have");
    }

    /** A failure is what was measured; everything else is an error. */
    void tell() throws MojoFailureException, MojoExecutionException {
        switch (this) {
            case DONE -> {}
            case CHECK_FAILED, INVALID -> throw new MojoFailureException(meaning);
            default -> throw new MojoExecutionException(meaning);
        }
    }
}
