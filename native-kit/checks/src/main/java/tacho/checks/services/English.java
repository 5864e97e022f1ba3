package tacho.checks.services;

/** Found because META-INF/services names it. */
public final class English implements Greeting {

    @Override
    public String text() {
        return "hello";
    }
}
