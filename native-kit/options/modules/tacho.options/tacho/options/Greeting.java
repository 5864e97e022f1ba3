package tacho.options;

/** What the other module provides. */
public interface Greeting {

    String text();
}
