package dev.tacho.table;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.BaseStream;

/**
 * Walks the stack of its thread from the instrumented method to the first frame of the owner. By
 * {@code java.lang.StackWalker} (JDK 9), which stops there and tells a place in the code by a
 * number; its line is asked for only when a stack is new. On JDK 8 by a {@code Throwable}.
 */
final class TachoWalk implements Function<Object, Object> {
    /** Kept where no owner is found. */
    private static final int WITHOUT_OWNER = 32;
    /** An owner that is deeper than this is not looked for. */
    private static final int DEEPEST = 1024;

    private static final Object WALKER;
    private static final MethodHandle WALK;
    private static final MethodHandle CLASS;
    private static final MethodHandle METHOD;
    private static final MethodHandle PLACE;
    private static final MethodHandle LINE;

    static {
        Object walker = null;
        MethodHandle[] handles = new MethodHandle[5];
        try {
            Class<?> type = Class.forName("java.lang.StackWalker");
            Class<?> option = Class.forName("java.lang.StackWalker$Option");
            Class<?> frame = Class.forName("java.lang.StackWalker$StackFrame");
            Object retain = option.getField("RETAIN_CLASS_REFERENCE").get(null);
            walker = type.getMethod("getInstance", option).invoke(null, retain);
            // `walk` asks who calls it; a public look-up would not be given it, since it is no one.
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            handles[0] = lookup.findVirtual(type, "walk", MethodType.methodType(Object.class, Function.class))
                    .asType(MethodType.methodType(Object.class, Object.class, Function.class));
            handles[1] = getter(lookup, frame, "getDeclaringClass", Class.class);
            handles[2] = getter(lookup, frame, "getMethodName", String.class);
            handles[3] = getter(lookup, frame, "getByteCodeIndex", int.class);
            handles[4] = getter(lookup, frame, "getLineNumber", int.class);
        } catch (ReflectiveOperationException beforeJdk9) {
            walker = null;
        }
        WALKER = walker;
        WALK = handles[0];
        CLASS = handles[1];
        METHOD = handles[2];
        PLACE = handles[3];
        LINE = handles[4];
    }

    private static MethodHandle getter(MethodHandles.Lookup lookup, Class<?> frame, String name, Class<?> type)
            throws ReflectiveOperationException {
        return lookup.findVirtual(frame, name, MethodType.methodType(type)).asType(MethodType.methodType(type, Object.class));
    }

    Object[] classes = new Object[WITHOUT_OWNER];
    String[] methods = new String[WITHOUT_OWNER];
    int[] places = new int[WITHOUT_OWNER];
    private Object[] frames = new Object[WITHOUT_OWNER];
    private int length;
    private int hash;
    private TachoConfig config;
    private boolean skipConstructors;
    /** That of the last constructor that was skipped. */
    private Class<?> last;
    private boolean skipMethod;

    int length() {
        return length;
    }

    /** Whether the JDK has what walks a stack. */
    boolean isByWalker() {
        return WALKER != null;
    }

    @Override
    public int hashCode() {
        return hash;
    }

    /** Only to be looked up by. */
    @Override
    public boolean equals(Object other) {
        return other == this || other instanceof TachoStack && other.equals(this);
    }

    /**
     * The stack from the method that called the table, or from its caller. Where the method is a
     * constructor: from whoever makes the object.
     */
    TachoStack stack(TachoConfig of, boolean fromConstructor, boolean fromCaller) throws Throwable {
        config = of;
        skipConstructors = fromConstructor;
        skipMethod = fromCaller && !fromConstructor;
        last = null;
        length = 0;
        try {
            if (WALKER == null) {
                elements(new Throwable().getStackTrace());
            } else {
                Object ignored = (Object) WALK.invokeExact(WALKER, (Function<?, ?>) this);
            }
            int h = length;
            for (int i = 0; i < length; i++) {
                h = (h * 31 + classes[i].hashCode()) * 31 + places[i];
            }
            hash = h;
            TachoStack known = of.stacks().get(this);
            return known != null ? known : of.keep(copy());
        } finally {
            // Nothing of the application is held between two calls.
            Arrays.fill(classes, 0, Math.min(classes.length, DEEPEST), null);
            Arrays.fill(frames, 0, Math.min(frames.length, DEEPEST), null);
            config = null;
            last = null;
        }
    }

    @Override
    public Object apply(Object stream) {
        try {
            Iterator<?> each = ((BaseStream<?, ?>) stream).iterator();
            while (each.hasNext()) {
                Object frame = each.next();
                Class<?> type = (Class<?>) CLASS.invokeExact(frame);
                String method = (String) METHOD.invokeExact(frame);
                if (!add(type, type.getName(), method, frame)) {
                    break;
                }
                places[length - 1 < 0 ? 0 : length - 1] = (int) PLACE.invokeExact(frame);
            }
            cut();
        } catch (Throwable e) {
            length = 0;
        }
        return null;
    }

    private void elements(StackTraceElement[] trace) {
        for (StackTraceElement element : trace) {
            if (!add(element.getClassName(), element.getClassName(), element.getMethodName(), element)) {
                break;
            }
            places[length - 1 < 0 ? 0 : length - 1] = element.getLineNumber();
        }
        cut();
    }

    private boolean found;

    /** False when this was called after the last frame that is wanted. */
    private boolean add(Object type, String name, String method, Object frame) {
        if (length == 0) {
            found = false;
            if (TachoTable.isOwn(name) || skipConstructors && method.equals("<init>") && isOfOneObject(type)) {
                return true;
            }
            if (skipMethod) {
                skipMethod = false;
                return true;
            }
        }
        if (found || length == DEEPEST) {
            return false;
        }
        if (length == classes.length) {
            grow();
        }
        classes[length] = type;
        methods[length] = method;
        frames[length] = frame;
        length++;
        found = config.isOwner(name);
        return true;
    }

    /**
     * Whether a constructor may be of the same object as the one before it, which it has called: of
     * the same class or a subclass. Any other one makes the object. On JDK 8 that is not known.
     */
    private boolean isOfOneObject(Object type) {
        if (!(type instanceof Class)) {
            return true;
        }
        Class<?> before = last;
        last = (Class<?>) type;
        return before == null || before.isAssignableFrom(last);
    }

    private void cut() {
        if (!found && length > WITHOUT_OWNER) {
            length = WITHOUT_OWNER;
        }
    }

    private void grow() {
        int more = classes.length * 2;
        classes = Arrays.copyOf(classes, more);
        methods = Arrays.copyOf(methods, more);
        places = Arrays.copyOf(places, more);
        frames = Arrays.copyOf(frames, more);
    }

    private TachoStack copy() throws Throwable {
        String[] texts = new String[length];
        for (int i = 0; i < length; i++) {
            Object frame = frames[i];
            int line = frame instanceof StackTraceElement ? ((StackTraceElement) frame).getLineNumber() : (int) LINE.invokeExact(frame);
            String name = classes[i] instanceof Class ? ((Class<?>) classes[i]).getName() : (String) classes[i];
            String text = name.concat(".").concat(TachoName.of(methods[i]));
            texts[i] = line > 0 ? text.concat(":").concat(Integer.toString(line)) : text;
        }
        return new TachoStack(Arrays.copyOf(classes, length), Arrays.copyOf(methods, length), Arrays.copyOf(places, length), hash, texts);
    }
}
