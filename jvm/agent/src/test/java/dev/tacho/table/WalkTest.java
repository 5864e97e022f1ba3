package dev.tacho.table;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

class WalkTest {
    /** Walks as an exception does whose constructor is instrumented. */
    private static class Failure {
        final TachoStack stack;

        Failure() throws Throwable {
            stack = new TachoWalk().stack(new TachoConfig(1, new String[] {"dev.tacho.table."}, null), true, false);
        }
    }

    private static class OfOrders extends Failure {
        OfOrders() throws Throwable {
            super();
        }
    }

    private static class Orders {
        final TachoStack failed;

        Orders() throws Throwable {
            failed = new OfOrders().stack;
        }
    }

    /** It costs a fraction of a {@code Throwable}, and knows classes, not only their names. */
    @Test
    void theStackIsWalkedWhereTheJdkHasAWalker() throws Throwable {
        TachoWalk walk = new TachoWalk();
        walk.stack(new TachoConfig(1, new String[] {"dev.tacho.table."}, null), false, false);
        assertTrue(walk.isByWalker());
    }

    @Test
    void whatAConstructorMakesIsMadeByItAndNotByItsCaller() throws Throwable {
        String frame = new Orders().failed.frames[0];
        assertTrue(frame.startsWith("dev.tacho.table.WalkTest$Orders.<init>:"), frame);
        String caller = new OfOrders().stack.frames[0];
        assertTrue(caller.startsWith("dev.tacho.table.WalkTest.whatAConstructorMakesIs"), caller);
    }
}
