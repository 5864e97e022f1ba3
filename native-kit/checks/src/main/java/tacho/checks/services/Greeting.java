package tacho.checks.services;

/** What is looked for by {@link java.util.ServiceLoader}. */
public interface Greeting {

    String text();
}
