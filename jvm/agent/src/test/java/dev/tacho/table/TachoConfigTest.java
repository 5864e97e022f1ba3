package dev.tacho.table;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class TachoConfigTest {
    private static final int MOST_HANDED = 20_000;

    @Test
    void whatIsHandedOverWithoutAStackMakesNoRoomForMore() {
        TachoConfig config = new TachoConfig(1, new String[0], null);
        for (int i = 0; i < 100; i++) {
            config.hand(new Object(), new TachoHanded(0, null));
        }
        assertEquals(100, config.leftOut(0));
        TachoStack stack = new TachoStack(new Object[0], new String[0], new int[0], 0, new String[0]);
        for (int i = 0; i < MOST_HANDED + 7; i++) {
            config.hand(new Object(), new TachoHanded(0, stack));
        }
        assertEquals(100 + 7, config.leftOut(0));
    }
}
