package tacho.checks.topics;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import tacho.checks.Checks;
import tacho.checks.Topic;

/**
 * Classes found by name. The names are put together at run time, so that only META-INF/native-image
 * tells of them.
 */
final class Reflection implements Topic {

    /** Says something of what it stands at. */
    @Retention(RetentionPolicy.RUNTIME)
    @interface Note {
        String value();

        int[] numbers() default {1, 2};
    }

    /** To be found. */
    @Note("found")
    static class Found {
        private int hidden = 5;

        Found() {}

        String twice(String text) {
            return text + text;
        }

        static void fails() {
            throw new IllegalArgumentException("from inside");
        }
    }

    /** A record to be taken apart. */
    record Pair<T>(T left, List<String> right) {}

    /** A closed family. */
    sealed interface Shape permits Circle, Square {}

    record Circle(double radius) implements Shape {}

    record Square(double side) implements Shape {}

    @Override
    public void check(Checks checks) {
        checks.check("reflection.made and called", "abab", () -> {
            Object found = found().getDeclaredConstructor().newInstance();
            return found().getDeclaredMethod("tw".concat("ice"), String.class).invoke(found, "ab");
        });
        checks.check("reflection.private field", "5 then 6", () -> {
            Object found = found().getDeclaredConstructor().newInstance();
            Field field = found().getDeclaredField("hid".concat("den"));
            field.setAccessible(true);
            int before = field.getInt(found);
            field.setInt(found, 6);
            return before + " then " + field.get(found);
        });
        checks.check(
                "reflection.annotation",
                "found [1, 2] @tacho.checks.topics.Reflection.Note(numbers={1, 2}, value=\"found\")",
                () -> {
                    Note note = found().getAnnotation(Note.class);
                    return note.value() + " " + Arrays.toString(note.numbers()) + " @"
                            + note.annotationType().getCanonicalName() + "(numbers={1, 2}, value=\"" + note.value()
                            + "\")";
                });
        checks.check("reflection.what is thrown inside", "IllegalArgumentException from inside", () -> {
            try {
                return found().getDeclaredMethod("fai".concat("ls")).invoke(null);
            } catch (InvocationTargetException e) {
                return e.getCause().getClass().getSimpleName() + " "
                        + e.getCause().getMessage();
            }
        });
        checks.check("reflection.record taken apart", "[T left, java.util.List<java.lang.String> right] 1 [r]", () -> {
            Object pair = new Pair<>(1, List.of("r"));
            RecordComponent[] components = Class.forName(inside("Pair")).getRecordComponents();
            return Arrays.stream(components)
                            .map(c -> c.getGenericType().getTypeName() + " " + c.getName())
                            .toList() + " " + components[0].getAccessor().invoke(pair) + " "
                    + components[1].getAccessor().invoke(pair);
        });
        checks.check("reflection.closed family", "true 2, side 2.0", () -> {
            Shape shape = new Square(2);
            String said =
                    switch (shape) {
                        case Circle(double radius) -> "radius " + radius;
                        case Square(double side) -> "side " + side;
                    };
            return Shape.class.isSealed() + " " + Shape.class.getPermittedSubclasses().length + ", " + said;
        });
        checks.check("reflection.arrays", "[[7, 0], [0, 0]]", () -> {
            int[][] array = (int[][]) Array.newInstance(int.class, 2, 2);
            Array.set(Array.get(array, 0), 0, 7);
            return Arrays.deepToString(array);
        });
        checks.check("reflection.no such class", "ClassNotFoundException tacho.checks.Nowhere", () -> {
            try {
                return Class.forName("tacho.checks.".concat("Nowhere"));
            } catch (ClassNotFoundException e) {
                return e.getClass().getSimpleName() + " " + e.getMessage();
            }
        });
        checks.check("reflection.enum by name", "TERMINATED IllegalArgumentException", () -> {
            try {
                return Thread.State.valueOf("TERM".concat("INATED")) + " " + Thread.State.valueOf("SLEEPY");
            } catch (IllegalArgumentException e) {
                return Thread.State.valueOf("TERMINATED") + " " + e.getClass().getSimpleName();
            }
        });
        checks.check(
                "reflection.names of classes",
                "Found tacho.checks.topics.Reflection$Found int[] Reflection",
                () -> found().getSimpleName() + " " + found().getName() + " " + int[].class.getSimpleName() + " "
                        + found().getEnclosingClass().getSimpleName());
    }

    private static String inside(String name) {
        return Reflection.class.getName() + '$' + name;
    }

    private static Class<?> found() throws ClassNotFoundException {
        return Class.forName(inside("Found"));
    }
}
