package tacho.options.french;

import tacho.options.Greeting;

/** The greeting that the other module finds. */
public final class French implements Greeting {

    @Override
    public String text() {
        return "bonjour";
    }
}
