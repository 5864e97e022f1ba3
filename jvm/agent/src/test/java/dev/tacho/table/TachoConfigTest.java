package dev.tacho.table;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TachoConfigTest {
    private static final int MOST_HANDED = 20_000;

    @AfterEach
    void off() {
        TachoTable.install(null);
    }

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

    @Test
    void whatWasCountedIsForgottenWhenAnInstrumentGoesAlsoDuringACall() {
        TachoConfig config = new TachoConfig(1, new String[0], null);
        int number = config.add(new TachoSlot(0, "com.acme.Shop.work", new String[0], true));
        TachoTable.install(config);
        TachoCall call = TachoTable.traceEnter(number);
        assertEquals(1, config.roots().size());
        // The thread has it for as long as it lives.
        TachoTree tree = call.node.tree;
        TachoTable.install(null);
        TachoTable.traceReturned(call);
        List<TachoNode> left = new ArrayList<>();
        tree.addRoots(left);
        assertEquals(List.of(), left);
        assertEquals(List.of(), config.roots());
    }

    @Test
    void anAnonymousClassOfScalaIsAnOwnerAndAProxyIsNot() {
        TachoConfig config = new TachoConfig(1, new String[] {"shop."}, null);
        for (String written : List.of("shop.Routes$$anon$1", "shop.Orders$total$$inlined$map$1", "shop.Routes$")) {
            assertTrue(config.isOwner(written), written);
        }
        for (String generated : List.of("shop.Routes$$anon$1$$Lambda$7", "shop.Web$$SpringCGLIB$$0", "shop.$Proxy9")) {
            assertFalse(config.isOwner(generated), generated);
        }
    }
}
