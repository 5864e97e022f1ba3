package dev.tacho.agent;

import dev.tacho.table.TachoName;
import dev.tacho.table.TachoTable;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodTooLargeException;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Puts an instrument into the methods that it names: into classes that are there, and into those
 * that come. Only code inside methods changes.
 */
final class Weaver implements ClassFileTransformer {
    /** Classes that the table uses before it knows whether a call is the agent's own. */
    private static final Set<String> NEVER = new HashSet<>(Arrays.asList("java.lang.Object", "java.lang.ref.Reference", "java.lang.ref.WeakReference",
            "java.lang.System", "java.lang.Number", "java.lang.Boolean", "java.lang.Character", "java.lang.Byte", "java.lang.Short", "java.lang.Integer",
            "java.lang.Long", "java.lang.Float", "java.lang.Double"));
    /**
     * The same with all that is nested in them; in the last ones a thread is on its way from one
     * carrier to another, or in the transformer.
     */
    private static final String[] NEVER_WITH_NESTED = {"java.lang.Thread", "java.lang.ThreadLocal", "java.lang.BaseVirtualThread", "java.lang.VirtualThread",
        "java.lang.ThreadBuilders", "jdk.internal.vm.Continuation", "sun.instrument.InstrumentationImpl", "sun.instrument.TransformerManager"};
    private static final int MOST_REFUSED = 100;
    /** How many names of other methods are kept for a pattern that matches no method. */
    private static final int MOST_MEMBERS = 500;
    /** After 50, 200 and 800 ms. */
    private static final int LOOKS = 3;
    private static final long FIRST_LOOK_NS = 50_000_000L;

    private final Instrumentation instrumentation;
    private final Instrument instrument;
    private final List<MethodPattern> patterns;
    /** Classes that were looked at and have no method that is named. */
    private final Set<String> passed = ConcurrentHashMap.newKeySet();
    /** By pattern: names of classes that are what it names, or extend or implement that. */
    private final List<Set<String>> families = new ArrayList<>();
    /** By pattern, as long as it has matched no method: the other methods of its classes. */
    private final List<Set<String>> members = new ArrayList<>();
    private final ConcurrentMap<String, Woven> woven = new ConcurrentHashMap<>();
    private final Map<String, String> refused = new LinkedHashMap<>();
    private final boolean[] matched;
    /** A class of that name is there, whatever it has. */
    private final boolean[] there;
    private final AtomicInteger underWay = new AtomicInteger();
    private volatile boolean closed;
    /**
     * When the latest class of a family was loaded. Subclasses may be loaded at the same moment,
     * before it is known that they belong to the family.
     */
    private volatile long grownAt;
    private volatile int looksLeft;

    /** A class that was changed: what it was, in a hash, and how many methods carry something. */
    static final class Woven {
        final String name;
        final int loader;
        final Fingerprint before;
        final int methods;

        Woven(String name, int loader, Fingerprint before, int methods) {
            this.name = name;
            this.loader = loader;
            this.before = before;
            this.methods = methods;
        }
    }

    Weaver(Instrumentation instrumentation, Instrument instrument) {
        this.instrumentation = instrumentation;
        this.instrument = instrument;
        this.patterns = instrument.patterns();
        this.matched = new boolean[patterns.size()];
        this.there = new boolean[patterns.size()];
        for (int i = 0; i < patterns.size(); i++) {
            families.add(ConcurrentHashMap.newKeySet());
            members.add(ConcurrentHashMap.newKeySet());
        }
    }

    static String key(String name, ClassLoader loader) {
        return name + "@" + System.identityHashCode(loader);
    }

    // --- classes that are there -----------------------------------------------------------------

    /** Instruments all loaded classes that are named, and those that come from now on. */
    void begin() {
        findFamilies(instrumentation.getAllLoadedClasses());
        instrumentation.addTransformer(this, true);
        // Looked at again, since some classes were loaded meanwhile. Classes that were half loaded
        // when the transformer was added are missed both by it and by this list: lookAgain() finds
        // them later.
        Class<?>[] loaded = instrumentation.getAllLoadedClasses();
        findFamilies(loaded);
        retransform(named(loaded));
        grownAt = System.nanoTime();
        looksLeft = LOOKS;
    }

    /**
     * Weaves classes that were loaded before it was known that they belong to a family. It looks
     * soon after they may have come, and again later for classes that load slowly.
     */
    void lookAgain() {
        int left = looksLeft;
        if (left == 0 || System.nanoTime() - grownAt < FIRST_LOOK_NS << 2 * (LOOKS - left)) {
            return;
        }
        looksLeft = left - 1;
        Class<?>[] loaded = instrumentation.getAllLoadedClasses();
        findFamilies(loaded);
        retransform(named(loaded));
    }

    private void findFamilies(Class<?>[] loaded) {
        for (int i = 0; i < patterns.size(); i++) {
            MethodPattern pattern = patterns.get(i);
            if (!pattern.subtypes) {
                continue;
            }
            List<Class<?>> heads = new ArrayList<>();
            for (Class<?> type : loaded) {
                if (!type.isArray() && pattern.namesClass(type.getName())) {
                    heads.add(type);
                }
            }
            for (Class<?> type : loaded) {
                for (Class<?> head : heads) {
                    if (head.isAssignableFrom(type)) {
                        families.get(i).add(type.getName());
                        break;
                    }
                }
            }
        }
    }

    /** But those that have been seen to. */
    private List<Class<?>> named(Class<?>[] loaded) {
        List<Class<?>> named = new ArrayList<>();
        for (Class<?> type : loaded) {
            String name = type.getName();
            if (type.isArray() || type.isPrimitive()) {
                continue;
            }
            List<Integer> matching = matching(name, null, null);
            if (matching.isEmpty()) {
                continue;
            }
            for (int pattern : matching) {
                there[pattern] = true;
            }
            String key = key(name, type.getClassLoader());
            if (woven.containsKey(key) || passed.contains(key)) {
                continue;
            }
            if (isOwn(name)) {
                continue;
            }
            if (isStoodOn(name)) {
                refuse(name, "the agent itself stands on it");
            } else if (!instrumentation.isModifiableClass(type)) {
                refuse(name, name.indexOf('/') >= 0 ? "a hidden class, such as that of a lambda: name the method that it calls" : "the JVM does not let it be changed");
            } else {
                named.add(type);
            }
        }
        return named;
    }

    /**
     * All classes in one go, since each retransformation stops all threads for a moment. One by one
     * if a class makes it fail for all.
     */
    private void retransform(List<Class<?>> classes) {
        if (classes.isEmpty()) {
            return;
        }
        try {
            instrumentation.retransformClasses(classes.toArray(new Class<?>[0]));
        } catch (UnmodifiableClassException | RuntimeException | Error together) {
            for (Class<?> type : classes) {
                try {
                    instrumentation.retransformClasses(type);
                } catch (UnmodifiableClassException | RuntimeException | Error e) {
                    String key = key(type.getName(), type.getClassLoader());
                    woven.remove(key);
                    passed.add(key);
                    refuse(type.getName(), "the JVM does not take it: " + e);
                }
            }
        }
    }

    // --- each class -----------------------------------------------------------------------------

    @Override
    public byte[] transform(ClassLoader loader, String internalName, Class<?> redefined, ProtectionDomain domain, byte[] bytes) {
        // Counted before `closed` is read: when close() sees zero, no class is woven any more.
        underWay.incrementAndGet();
        try {
            // False when this thread is in the transformer already: then a class that weaving needs
            // is being loaded, and it stays as it is.
            if (closed || internalName == null || !TachoTable.enterTransformer()) {
                return null;
            }
            try {
                String name = internalName.replace('/', '.');
                return isOwn(name) || isStoodOn(name) ? null : weave(loader, name, redefined != null, bytes);
            } catch (Throwable e) {
                refuse(internalName.replace('/', '.'), "it cannot be instrumented: " + e);
                return null;
            } finally {
                TachoTable.leaveTransformer();
            }
        } catch (Throwable e) {
            // No room even for saying so: the class is loaded as it is.
            return null;
        } finally {
            underWay.decrementAndGet();
        }
    }

    private static boolean isStoodOn(String name) {
        if (NEVER.contains(name)) {
            return true;
        }
        for (String each : NEVER_WITH_NESTED) {
            if (name.startsWith(each) && (name.length() == each.length() || name.charAt(each.length()) == '$')) {
                return true;
            }
        }
        return false;
    }

    static boolean isOwn(String name) {
        return name.startsWith("dev.tacho.agent.") || name.startsWith("java.lang.Tacho");
    }

    byte[] weave(ClassLoader loader, String name, boolean isThere, byte[] bytes) {
        List<Integer> matching = matching(name, null, null);
        if (!isThere && anyFamilies()) {
            ClassReader head = reader(bytes, name);
            if (head == null) {
                return null;
            }
            matching = matching(name, head.getSuperName(), head.getInterfaces());
        }
        if (matching.isEmpty()) {
            return null;
        }
        ClassReader reader = reader(bytes, name);
        if (reader == null) {
            return null;
        }
        Set<String> tooLarge = new HashSet<>();
        Set<String> brief = new HashSet<>();
        while (true) {
            Survey survey = new Survey(name, matching, tooLarge);
            reader.accept(survey, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
            if (survey.methods.isEmpty()) {
                passed.add(key(name, loader));
                return null;
            }
            try {
                byte[] result = write(reader, survey, brief);
                Set<String> outgrown = CodeSizes.outgrown(reader, result, survey.methods.keySet());
                if (outgrown.isEmpty()) {
                    woven.put(key(name, loader), new Woven(name, System.identityHashCode(loader), Fingerprint.of(bytes), survey.methods.size()));
                    return result;
                }
                for (String method : outgrown) {
                    lessen(name, method, brief, tooLarge);
                }
            } catch (MethodTooLargeException e) {
                tooLarge.add(e.getMethodName() + e.getDescriptor());
                refuse(name + "." + e.getMethodName(), "with the instrument it would be larger than the 64 KB that a method may have; name what it calls");
            }
        }
    }

    /**
     * With the instrument, the JVM would no longer compile a method. It gets a brief one, or none.
     */
    private void lessen(String name, String method, Set<String> brief, Set<String> tooLarge) {
        String text = name + "." + method.substring(0, method.indexOf('('));
        if (instrument.canBeBrief() && brief.add(method)) {
            refuse("each call in " + text, "with them timed, the JVM would no longer compile the method; trace what it calls");
        } else {
            tooLarge.add(method);
            refuse(text, "with the instrument the JVM would no longer compile it; trace what it calls");
        }
    }

    private ClassReader reader(byte[] bytes, String name) {
        try {
            return new ClassReader(bytes);
        } catch (IllegalArgumentException e) {
            refuse(name, "its class file is of a version that this agent does not know: " + e.getMessage());
            return null;
        }
    }

    private boolean anyFamilies() {
        for (MethodPattern pattern : patterns) {
            if (pattern.subtypes) {
                return true;
            }
        }
        return false;
    }

    /**
     * Patterns that a class may have methods for; its supertypes are given where it is not known
     * yet.
     */
    private List<Integer> matching(String name, String superName, String[] interfaces) {
        List<Integer> matching = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            Set<String> family = families.get(i);
            boolean belongs = patterns.get(i).namesClass(name) || family.contains(name);
            if (!belongs && patterns.get(i).subtypes && superName != null) {
                belongs = family.contains(superName.replace('/', '.'));
                for (String type : interfaces) {
                    belongs |= family.contains(type.replace('/', '.'));
                }
            }
            if (belongs) {
                if (superName != null && patterns.get(i).subtypes && family.add(name)) {
                    grownAt = System.nanoTime();
                    looksLeft = LOOKS;
                }
                matching.add(i);
            }
        }
        return matching;
    }

    /** Which methods of a class, and how many variables each has. */
    private final class Survey extends ClassVisitor {
        private final String name;
        private final List<Integer> matching;
        private final Set<String> tooLarge;
        private final Map<String, List<Integer>> methods = new HashMap<>();
        private final Map<String, Integer> locals = new HashMap<>();

        Survey(String name, List<Integer> matching, Set<String> tooLarge) {
            super(Opcodes.ASM9);
            this.name = name;
            this.matching = matching;
            this.tooLarge = tooLarge;
        }

        @Override
        public MethodVisitor visitMethod(int access, String method, String descriptor, String signature, String[] exceptions) {
            List<Integer> of = new ArrayList<>();
            for (int pattern : matching) {
                if (patterns.get(pattern).namesMethod(method, descriptor)
                        || instrument.followsRenamed() && !TachoName.isAccessor(method) && patterns.get(pattern).namesMethod(TachoName.of(method), descriptor)) {
                    of.add(pattern);
                } else if (!matched[pattern] && members.get(pattern).size() < MOST_MEMBERS && !method.equals("<clinit>")) {
                    members.get(pattern).add(method + descriptor);
                }
            }
            String key = method + descriptor;
            if (of.isEmpty() || tooLarge.contains(key)) {
                return null;
            }
            if ((access & Opcodes.ACC_NATIVE) != 0) {
                refuse(name + "." + method, "it is native, without code that could be instrumented; name what calls it");
                return null;
            }
            if ((access & Opcodes.ACC_ABSTRACT) != 0) {
                for (int pattern : of) {
                    if (!patterns.get(pattern).subtypes) {
                        refuse(name + "." + method, "it is abstract; ask for the classes that implement it as well");
                    }
                }
                return null;
            }
            for (int pattern : of) {
                matched[pattern] = true;
            }
            methods.put(key, of);
            return new MethodVisitor(Opcodes.ASM9) {
                private int unconstructed;
                private int callsOfSuper;

                @Override
                public void visitTypeInsn(int opcode, String type) {
                    if (opcode == Opcodes.NEW) {
                        unconstructed++;
                    }
                }

                /** Each constructor is that of an object made here, or {@code super(...)}. */
                @Override
                public void visitMethodInsn(int opcode, String owner, String called, String type, boolean isInterface) {
                    if (opcode == Opcodes.INVOKESPECIAL && called.equals("<init>") && --unconstructed < 0) {
                        unconstructed = 0;
                        callsOfSuper++;
                    }
                }

                @Override
                public void visitMaxs(int maxStack, int maxLocals) {
                    // The others are for an object that is not initialised yet.
                    if (method.equals("<init>") && callsOfSuper > 1) {
                        methods.remove(key);
                        refuse(name + "." + method, "it calls super(...) or this(...) in several places, as Groovy's constructors may");
                    } else {
                        locals.put(key, maxLocals);
                    }
                }
            };
        }
    }

    private byte[] write(ClassReader reader, Survey survey, Set<String> brief) {
        boolean frames = (reader.readUnsignedShort(6)) >= Opcodes.V1_6;
        ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
        reader.accept(new ClassVisitor(Opcodes.ASM9, writer) {
            @Override
            public MethodVisitor visitMethod(int access, String name, String descriptor, String signature, String[] exceptions) {
                MethodVisitor out = super.visitMethod(access, name, descriptor, signature, exceptions);
                List<Integer> of = survey.methods.get(name + descriptor);
                Integer locals = survey.locals.get(name + descriptor);
                if (of == null || locals == null) {
                    return out;
                }
                boolean isBrief = brief.contains(name + descriptor);
                return instrument.weave(out, new Method(reader.getClassName(), name, descriptor, access, locals, frames, isBrief), of);
            }
        }, ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    private void refuse(String what, String why) {
        synchronized (refused) {
            if (refused.size() < MOST_REFUSED) {
                refused.put(what, why);
            }
        }
    }

    // --- what has come of it --------------------------------------------------------------------

    Map<String, Object> begun() {
        Map<String, Object> begun = new LinkedHashMap<>();
        int methods = 0;
        for (Woven each : woven.values()) {
            methods += each.methods;
        }
        begun.put("classes", woven.size());
        begun.put("methods", methods);
        List<Object> reasons = new ArrayList<>();
        synchronized (refused) {
            for (Map.Entry<String, String> entry : refused.entrySet()) {
                Map<String, Object> reason = new LinkedHashMap<>();
                reason.put("what", entry.getKey());
                reason.put("why", entry.getValue());
                reasons.add(reason);
            }
        }
        begun.put("refused", reasons);
        Set<String> unmatched = new LinkedHashSet<>();
        Set<String> awaited = new LinkedHashSet<>();
        for (int i = 0; i < matched.length; i++) {
            if (!matched[i]) {
                unmatched.add(instrument.name(i));
                // A class that is there gets no other methods; but others may come that are meant
                // as well.
                MethodPattern pattern = patterns.get(i);
                if (!there[i] || pattern.subtypes || pattern.className.indexOf('*') >= 0) {
                    awaited.add(instrument.name(i));
                }
            }
        }
        Map<String, Object> others = new LinkedHashMap<>();
        for (int i = 0; i < matched.length; i++) {
            if (!matched[i] && !members.get(i).isEmpty()) {
                others.put(instrument.name(i), new ArrayList<>(members.get(i)));
            }
        }
        begun.put("members", others);
        begun.put("unmatched", unmatched);
        begun.put("awaited", awaited);
        return begun;
    }

    Map<String, Woven> woven() {
        return woven;
    }

    /** No class is changed any more; gives those that were. */
    Map<String, Woven> close() throws InterruptedException {
        closed = true;
        while (underWay.get() > 0) {
            Thread.sleep(1);
        }
        instrumentation.removeTransformer(this);
        return woven;
    }
}
