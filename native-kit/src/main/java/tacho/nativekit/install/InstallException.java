package tacho.nativekit.install;

/** Why nothing was installed, for the person who installs, with the exit code. */
final class InstallException extends RuntimeException {

    static final int WRONG_USAGE = 2;
    static final int LACKS_SOMETHING = 3;
    static final int JARS_NOT_RESOLVED = 4;
    static final int NOT_MADE = 5;

    private static final long serialVersionUID = 1;

    private final int exitCode;

    InstallException(int exitCode, String message) {
        super(message);
        this.exitCode = exitCode;
    }

    int exitCode() {
        return exitCode;
    }
}
