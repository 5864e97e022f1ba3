package dev.tacho.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import org.junit.jupiter.api.Test;

class RendererTest {
    private final Renderer renderer = new Renderer(3, 200, false);

    /** As a mapper of objects to a database has them: each question is a query. */
    private static final class Lazy extends AbstractList<Object> {
        private int asked;

        @Override
        public Object get(int index) {
            asked++;
            return "row";
        }

        @Override
        public int size() {
            asked++;
            return 1;
        }
    }

    private static final class Key {
        private int asked;

        @Override
        public int hashCode() {
            return ++asked;
        }

        @Override
        public boolean equals(Object other) {
            asked++;
            return other == this;
        }
    }

    @Test
    void aWrapperIsShownWithoutAskingWhatItWraps() {
        Lazy lazy = new Lazy();
        for (Object wrapper : List.of(Collections.unmodifiableList(lazy), Collections.synchronizedList(lazy), Collections.unmodifiableCollection(lazy))) {
            String text = renderer.render(wrapper);
            assertTrue(text.startsWith("java.util.Collections$") && text.contains("@"), text);
            assertTrue(renderer.render(new ArrayList<>(Arrays.asList(wrapper))).startsWith("ArrayList(1)[java.util.Collections$"));
        }
        assertEquals(0, lazy.asked);
        assertTrue(renderer.render(new LongAccumulator((a, b) -> a + b, 0)).contains("LongAccumulator@"));
        // Unless the application may be asked.
        assertEquals("UnmodifiableList(1)[\"row\"]", new Renderer(3, 200, true).render(Collections.unmodifiableList(lazy)));
    }

    @Test
    void whatHoldsItsElementsIsShownWithThemAndTheyAreNotAsked() {
        assertEquals("ArrayList(2)[\"a\", 1]", renderer.render(new ArrayList<>(Arrays.asList("a", 1))));
        assertEquals("ArrayList(2)[\"a\", 1]", renderer.render(Arrays.asList("a", 1)));
        assertEquals("TreeMap(1){\"a\"=1}", renderer.render(new TreeMap<>(Map.of("a", 1))));
        assertEquals("ConcurrentHashMap(1){\"a\"=1}", renderer.render(new ConcurrentHashMap<>(Map.of("a", 1))));
        assertEquals("RegularEnumSet(1)[NEW]", renderer.render(EnumSet.of(Thread.State.NEW)));
        assertTrue(renderer.render(List.of("a", 1, 2)).endsWith("(3)[\"a\", 1, 2]"));
        assertTrue(renderer.render(Map.of("a", 1)).endsWith("(1){\"a\"=1}"));
        Key key = new Key();
        Map<Object, Object> map = new HashMap<>();
        map.put(key, 1);
        int asked = key.asked;
        assertTrue(renderer.render(map).startsWith("HashMap(1){"));
        assertEquals(asked, key.asked);
    }
}
