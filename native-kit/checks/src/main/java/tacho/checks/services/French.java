package tacho.checks.services;

/** Found because META-INF/services names it. */
public final class French implements Greeting {

    @Override
    public String text() {
        return "bonjour";
    }
}
