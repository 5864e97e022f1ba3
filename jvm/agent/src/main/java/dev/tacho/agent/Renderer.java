package dev.tacho.agent;

import java.lang.reflect.AccessibleObject;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.concurrent.atomic.LongAccumulator;

/**
 * An object as text, bounded in depth and length. Values of the JDK, such as numbers and dates,
 * give their own text. Of the application's objects only fields are read: no method of theirs is
 * called unless the request asks for {@code toString}.
 */
final class Renderer {
    private static final int MOST_ELEMENTS = 10;
    /**
     * Collections and maps that hold their elements themselves, and need no lock to be walked
     * through. Any other may be a wrapper or a view, which asks one of the application's.
     */
    private static final Set<String> HOLDERS = new HashSet<>(Arrays.asList("java.util.ArrayDeque", "java.util.ArrayList", "java.util.ArrayList$SubList",
            "java.util.Arrays$ArrayList", "java.util.Collections$EmptyList", "java.util.Collections$EmptyMap", "java.util.Collections$EmptySet",
            "java.util.Collections$SingletonList", "java.util.Collections$SingletonMap", "java.util.Collections$SingletonSet", "java.util.EnumMap",
            "java.util.HashMap", "java.util.HashMap$KeySet", "java.util.HashMap$Values", "java.util.HashSet", "java.util.IdentityHashMap",
            "java.util.ImmutableCollections$List0", "java.util.ImmutableCollections$List1", "java.util.ImmutableCollections$List12",
            "java.util.ImmutableCollections$List2", "java.util.ImmutableCollections$ListN", "java.util.ImmutableCollections$Map0",
            "java.util.ImmutableCollections$Map1", "java.util.ImmutableCollections$MapN", "java.util.ImmutableCollections$Set0",
            "java.util.ImmutableCollections$Set1", "java.util.ImmutableCollections$Set12", "java.util.ImmutableCollections$Set2",
            "java.util.ImmutableCollections$SetN", "java.util.JumboEnumSet", "java.util.LinkedHashMap", "java.util.LinkedHashMap$LinkedKeySet",
            "java.util.LinkedHashMap$LinkedValues", "java.util.LinkedHashSet", "java.util.LinkedList", "java.util.PriorityQueue",
            "java.util.RegularEnumSet", "java.util.TreeMap", "java.util.TreeSet", "java.util.concurrent.ConcurrentHashMap",
            "java.util.concurrent.ConcurrentLinkedDeque", "java.util.concurrent.ConcurrentLinkedQueue", "java.util.concurrent.ConcurrentSkipListMap",
            "java.util.concurrent.ConcurrentSkipListSet", "java.util.concurrent.CopyOnWriteArrayList", "java.util.concurrent.CopyOnWriteArraySet"));

    private final int depth;
    private final int length;
    private final boolean toString;

    Renderer(int depth, int length, boolean toString) {
        this.depth = Math.min(Math.max(depth, 0), 8);
        this.length = Math.min(Math.max(length, 10), 100_000);
        this.toString = toString;
    }

    String render(Object object) {
        StringBuilder out = new StringBuilder();
        try {
            write(object, depth, out);
        } catch (RuntimeException | Error e) {
            out.append("(cannot be shown: ").append(e.getClass().getName()).append(')');
        }
        return bounded(out);
    }

    String exception(Throwable thrown) {
        StringBuilder out = new StringBuilder(thrown.getClass().getName());
        // The field, and not a method that may be overridden.
        Object message = field(Throwable.class, "detailMessage", thrown);
        if (message instanceof String) {
            out.append(": ").append((String) message);
        }
        return bounded(out);
    }

    private String bounded(StringBuilder out) {
        if (out.length() > length) {
            out.setLength(length);
            out.append("...");
        }
        return out.toString();
    }

    /** Class and identity. */
    String reference(Object object) {
        return object.getClass().getName() + "@" + Integer.toHexString(System.identityHashCode(object));
    }

    private void write(Object object, int left, StringBuilder out) {
        if (out.length() > length) {
            return;
        }
        if (object == null || object instanceof Boolean || object instanceof Character) {
            out.append(object);
        } else if (object instanceof String) {
            String text = (String) object;
            out.append('"').append(text, 0, Math.min(text.length(), length)).append('"');
        } else if (object instanceof Enum) {
            out.append(((Enum<?>) object).name());
        } else if (object instanceof Class) {
            out.append(((Class<?>) object).getName());
        } else if (object instanceof Throwable) {
            out.append(exception((Throwable) object));
        } else if (object.getClass().isArray()) {
            array(object, left, out);
        } else if (isPlatform(object)) {
            platform(object, left, out);
        } else if (toString) {
            out.append(object);
        } else {
            fields(object, left, out);
        }
    }

    private static boolean isPlatform(Object object) {
        return object.getClass().getClassLoader() == null && !object.getClass().getName().contains("$$");
    }

    private void platform(Object object, int left, StringBuilder out) {
        boolean isHolder = toString || HOLDERS.contains(object.getClass().getName());
        if (isHolder && object instanceof Map) {
            entries((Map<?, ?>) object, left, out);
        } else if (isHolder && object instanceof Collection) {
            elements((Collection<?>) object, left, out);
        } else if (isNumber(object) || object instanceof StringBuilder || isValue(object)) {
            out.append(object);
        } else {
            // It may ask something of the application's.
            out.append(reference(object));
        }
    }

    /** An accumulator asks a function of the application. */
    private static boolean isNumber(Object object) {
        return object instanceof Number && !(object instanceof LongAccumulator || object instanceof DoubleAccumulator);
    }

    /** Values whose text is their own. */
    private static boolean isValue(Object object) {
        String name = object.getClass().getName();
        return name.startsWith("java.time.") || object instanceof java.net.URI || object instanceof java.util.UUID
                || object instanceof java.util.Locale || object instanceof java.io.File || object.getClass() == java.util.Date.class;
    }

    private void array(Object array, int left, StringBuilder out) {
        int size = Array.getLength(array);
        out.append(array.getClass().getComponentType().getName()).append('[').append(size).append(']');
        if (left > 0) {
            out.append('{');
            for (int i = 0; i < size && !isFull(i, out); i++) {
                out.append(i == 0 ? "" : ", ");
                write(Array.get(array, i), left - 1, out);
            }
            out.append('}');
        }
    }

    private void elements(Collection<?> collection, int left, StringBuilder out) {
        out.append(collection.getClass().getSimpleName()).append('(').append(collection.size()).append(')');
        if (left > 0) {
            out.append('[');
            int i = 0;
            for (Object element : collection) {
                if (isFull(i, out)) {
                    break;
                }
                out.append(i++ == 0 ? "" : ", ");
                write(element, left - 1, out);
            }
            out.append(']');
        }
    }

    private void entries(Map<?, ?> map, int left, StringBuilder out) {
        out.append(map.getClass().getSimpleName()).append('(').append(map.size()).append(')');
        if (left > 0) {
            out.append('{');
            int i = 0;
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                if (isFull(i, out)) {
                    break;
                }
                out.append(i++ == 0 ? "" : ", ");
                write(entry.getKey(), left - 1, out);
                out.append('=');
                write(entry.getValue(), left - 1, out);
            }
            out.append('}');
        }
    }

    private boolean isFull(int written, StringBuilder out) {
        if (written >= MOST_ELEMENTS || out.length() > length) {
            out.append(", ...");
            return true;
        }
        return false;
    }

    private void fields(Object object, int left, StringBuilder out) {
        if (left == 0) {
            out.append(reference(object));
            return;
        }
        out.append(object.getClass().getName()).append('{');
        int i = 0;
        for (Class<?> type = object.getClass(); type != null && type.getClassLoader() != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (Modifier.isStatic(field.getModifiers()) || field.isSynthetic()) {
                    continue;
                }
                if (isFull(i, out)) {
                    break;
                }
                out.append(i++ == 0 ? "" : ", ").append(field.getName()).append('=');
                value(field, object, left, out);
            }
        }
        out.append('}');
    }

    private void value(Field field, Object object, int left, StringBuilder out) {
        try {
            AccessibleObject.setAccessible(new AccessibleObject[] {field}, true);
            write(field.get(object), left - 1, out);
        } catch (ReflectiveOperationException | RuntimeException e) {
            out.append('?');
        }
    }

    private static Object field(Class<?> type, String name, Object object) {
        try {
            Field field = type.getDeclaredField(name);
            field.setAccessible(true);
            return field.get(object);
        } catch (ReflectiveOperationException | RuntimeException e) {
            // Since JDK 16 the field is closed to us. Then getMessage() is called instead.
            return object instanceof Throwable ? ((Throwable) object).getMessage() : null;
        }
    }
}
