package tacho.checks.topics;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InvalidClassException;
import java.io.ObjectInputFilter;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serial;
import java.io.Serializable;
import java.time.LocalDate;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import tacho.checks.Checks;
import tacho.checks.Topic;

/** Objects as bytes. Which classes are met is known from META-INF/native-image. */
final class Serialization implements Topic {

    /** A record. */
    record Point(int x, int y) implements Serializable {}

    /** A class with a field that is left out, and one that points back. */
    static final class Node implements Serializable {
        @Serial
        private static final long serialVersionUID = 1;

        private final String name;
        private final transient String secret;
        private Node other;

        Node(String name) {
            this.name = name;
            this.secret = "secret";
        }

        @Serial
        private Object readResolve() {
            return this;
        }
    }

    @Override
    public void check(Checks checks) {
        checks.check("serialization.record", "Point[x=1, y=2]", () -> copy(new Point(1, 2)));
        checks.check("serialization.circle", "a null b, back at a true", () -> {
            Node a = new Node("a");
            a.other = new Node("b");
            a.other.other = a;
            Node copy = (Node) copy(a);
            return copy.name + " " + copy.secret + " " + copy.other.name + ", back at a " + (copy.other.other == copy);
        });
        checks.check("serialization.collections", "{1=[x, y]} {SECONDS=1}", () -> {
            TreeMap<Integer, List<String>> tree = new TreeMap<>();
            tree.put(1, new ArrayList<>(List.of("x", "y")));
            EnumMap<TimeUnit, Integer> units = new EnumMap<>(TimeUnit.class);
            units.put(TimeUnit.SECONDS, 1);
            return copy(tree) + " " + copy(units);
        });
        checks.check("serialization.date", "2025-12-24", () -> copy(LocalDate.of(2025, 12, 24)));
        checks.check("serialization.exception", "java.lang.IllegalStateException: why true", () -> {
            Throwable copy = (Throwable) copy(new IllegalStateException("why"));
            return copy + " " + (copy.getStackTrace().length > 0);
        });
        checks.check("serialization.filtered", "InvalidClassException", () -> {
            try {
                return read(bytes(new Point(1, 2)), ObjectInputFilter.Config.createFilter("!tacho.checks.**"));
            } catch (InvalidClassException e) {
                return e.getClass().getSimpleName();
            }
        });
    }

    private static Object copy(Object original) throws Exception {
        return read(bytes(original), null);
    }

    private static byte[] bytes(Object original) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
            out.writeObject(original);
        }
        return bytes.toByteArray();
    }

    private static Object read(byte[] bytes, ObjectInputFilter filter) throws Exception {
        try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(bytes))) {
            if (filter != null) {
                in.setObjectInputFilter(filter);
            }
            return in.readObject();
        }
    }
}
