package dev.tacho.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.tacho.table.TachoConfig;
import dev.tacho.table.TachoTable;
import fixture.Fixture;
import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Instrumented code does what it did; the JVM's verifier reads all of it. */
class WeavingTest {
    private static final String NAME = Fixture.class.getName();

    @AfterEach
    void off() {
        TachoTable.install(null);
    }

    private static Request request(String text) {
        return Request.parse(text.replace('\'', '"'));
    }

    private static List<Supplier<Instrument>> instruments() {
        String all = "'class':'" + NAME + "','methods':['*']";
        return List.of(
                () -> Weaving.probe(NAME, "'*'", "{'argument':1},'receiver-class','result-class','method'", false),
                () -> new ProbeInstrument(request("{'owners':[],'probes':[{'id':'a'," + all + ",'keys':[]},{'id':'b'," + all + ",'keys':[{'argument':2}]}]}")),
                () -> new TraceInstrument(request("{'roots':[{" + all + "}],'inner':[]}")),
                () -> new WatchInstrument(request("{" + all + ",'at-most':1000,'depth':2,'owners':[]}")));
    }

    /** Everything that the fixture's methods give, throw and log. */
    private static List<String> story(Class<?> type) throws ReflectiveOperationException {
        List<String> told = new ArrayList<>();
        Object large = type.getConstructor(boolean.class).newInstance(true);
        told.add(large.toString().replaceAll("@[0-9a-f]+", ""));
        told.add(type.getConstructor(String.class).newInstance("abc").toString());
        told.add(call(() -> type.getConstructor(String.class).newInstance("")));
        for (int n = 0; n < 8; n++) {
            int number = n;
            told.add(call(() -> type.getMethod("loop", int.class).invoke(null, number)));
            told.add(call(() -> type.getMethod("recursive", int.class).invoke(null, number)));
            told.add(call(() -> type.getMethod("wide", long.class, double.class, int.class).invoke(large, 1L << 40, number / 3.0, number)));
            told.add(call(() -> type.getMethod("doubled", float.class).invoke(large, number / 7f)));
            List<String> log = new ArrayList<>();
            told.add(call(() -> type.getMethod("finallyAlways", List.class, int.class).invoke(large, log, number)));
            told.addAll(log);
            told.add(call(() -> type.getMethod("locked", Object.class).invoke(large, "x".repeat(number + 1))).replaceAll("@[0-9a-f]+", ""));
            told.add(call(() -> type.getMethod("overwrites", Object.class, int.class).invoke(large, "given", number)));
        }
        told.add(call(() -> type.getMethod("nothing").invoke(large)));
        told.add(call(() -> type.getMethod("sum").invoke(large)));
        return told;
    }

    private interface Call {
        Object call() throws ReflectiveOperationException;
    }

    private static String call(Call call) throws ReflectiveOperationException {
        try {
            return String.valueOf(call.call());
        } catch (InvocationTargetException e) {
            return "threw " + e.getCause();
        }
    }

    @Test
    void everyInstrumentLeavesWhatMethodsDoAsItIs() throws Exception {
        List<String> plain = story(Fixture.class);
        for (Supplier<Instrument> instrument : instruments()) {
            Weaving weaving = new Weaving(instrument.get());
            Class<?> woven = weaving.define(Fixture.class);
            assertEquals(plain, story(woven));
            assertTrue(weaving.snapshot().size() > 3, "nothing was seen by " + weaving.instrument.getClass());
            TachoTable.install(null);
            assertEquals(plain, story(woven));
        }
    }

    @Test
    void countsAreByOutcomeAndKey() throws Exception {
        Weaving weaving = new Weaving(Weaving.probe(NAME, "'finallyAlways','locked'", "{'argument':2}", false));
        Class<?> woven = weaving.define(Fixture.class);
        story(woven);
        Map<String, Long> counts = new HashMap<>();
        for (Map<String, Object> line : weaving.snapshot()) {
            counts.merge(line.get("keys") + " " + line.get("outcome"), (Long) line.get("count"), Long::sum);
        }
        assertEquals(1L, counts.get("[1] {exception=java.lang.IllegalStateException}"), counts.toString());
        assertEquals(1L, counts.get("[2] normal"), counts.toString());
        assertEquals(1L, counts.get("[3] {exception=java.lang.RuntimeException}"), counts.toString());
        // Of the second method, which has one argument: nothing is its second.
        assertEquals(1L, counts.get("[null] null"), counts.toString());
        assertEquals(7L, counts.get("[null] normal"), counts.toString());
    }

    @Test
    void whatNamesNothingIsToldWithTheMethodsThatThereAre() throws Exception {
        Weaving weaving = new Weaving(Weaving.probe(NAME, "'lop'", "", false));
        weaving.define(Fixture.class);
        Map<?, ?> members = (Map<?, ?>) weaving.weaver.begun().get("members");
        assertTrue(((List<?>) members.get("p")).contains("loop(I)I"), () -> members.toString());
        Weaving found = new Weaving(Weaving.probe(NAME, "'loop'", "", false));
        found.define(Fixture.class);
        assertEquals(Map.of(), found.weaver.begun().get("members"));
    }

    @Test
    void nestedCallsWithTheSameKeyCountOnceWhenTheOutermostIsMeant() throws Exception {
        Weaving all = new Weaving(Weaving.probe(NAME, "'recursive'", "", false));
        all.define(Fixture.class).getMethod("recursive", int.class).invoke(null, 6);
        assertEquals(6, all.count());
        Weaving outermost = new Weaving(Weaving.probe(NAME, "'recursive'", "", true));
        outermost.define(Fixture.class).getMethod("recursive", int.class).invoke(null, 6);
        assertEquals(1, outermost.count());
    }

    @Test
    void aTraceKnowsWhichCallEndedByAnException() throws Exception {
        Weaving weaving = new Weaving(new TraceInstrument(request("{'roots':[{'class':'" + NAME + "','methods':['finallyAlways']}],'inner':[]}")));
        Class<?> woven = weaving.define(Fixture.class);
        story(woven);
        Map<String, Object> root = weaving.snapshot().get(0);
        assertEquals(8L, root.get("count"));
        assertEquals(2L, root.get("failed"));
        for (Object each : (List<?>) root.get("callees")) {
            Map<?, ?> callee = (Map<?, ?>) each;
            if (callee.get("method").equals(NAME + ".inner")) {
                assertEquals(6L, callee.get("count"));
                assertEquals(2L, callee.get("failed"));
                return;
            }
        }
        throw new AssertionError("inner is no callee: " + root);
    }

    private static Weaving tracing(String method, int budgetPerMille) {
        String request = "{'roots':[{'class':'" + NAME + "','methods':['" + method + "']}],'inner':[],'budget-per-mille':" + budgetPerMille + "}";
        return new Weaving(new TraceInstrument(request(request)));
    }

    private static void recurse(Class<?> woven, int threads, int times) throws Exception {
        java.lang.reflect.Method method = woven.getMethod("recursive", int.class);
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            Thread thread = new Thread(() -> {
                try {
                    for (int i = 0; i < times; i++) {
                        method.invoke(null, 6);
                    }
                } catch (ReflectiveOperationException e) {
                    throw new AssertionError(e);
                }
            });
            thread.start();
            running.add(thread);
        }
        for (Thread thread : running) {
            thread.join();
        }
    }

    @Test
    void aTraceAddsUpWhatManyThreadsDoAtOnce() throws Exception {
        Weaving weaving = tracing("recursive", 0);
        Class<?> woven = weaving.define(Fixture.class);
        // More threads than are there at once: those that come later go on with the trees of those
        // that went.
        for (int again = 0; again < 3; again++) {
            recurse(woven, 8, 500);
        }
        List<Map<String, Object>> lines = weaving.snapshot();
        // Called six deep: five places below the root.
        assertEquals(6, lines.size(), lines.toString());
        for (Map<String, Object> line : lines) {
            assertEquals(12_000L, line.get("count"), lines.toString());
            assertNull(line.get("timed"));
        }
    }

    @Test
    void aTraceThatCostsMoreThanItMayTimesOneCallInNAndCountsAll() throws Exception {
        Weaving weaving = tracing("recursive", 1);
        Budget budget = ((TraceInstrument) weaving.instrument).budget;
        Class<?> woven = weaving.define(Fixture.class);
        // Three quarters of a millisecond of timings in far less than a thousand times as long:
        // twice, since what was timed decides what will be.
        recurse(woven, 1, 20_000);
        budget.look(weaving.instrument.config());
        weaving.instrument.config().reset();
        recurse(woven, 4, 5_000);
        List<Map<String, Object>> lines = weaving.snapshot();
        assertEquals(20_000L, lines.get(0).get("count"));
        long timed = (Long) lines.get(0).get("timed");
        assertTrue(timed > 0 && timed < 20_000, lines.toString());
        // The others by what the timed ones stand for.
        assertEquals(20_000L, lines.get(5).get("count"), lines.toString());
        assertEquals(timed, lines.get(5).get("timed"), lines.toString());
        // With nothing to do it goes back to all.
        weaving.instrument.config().reset();
        budget.look(weaving.instrument.config());
        budget.look(weaving.instrument.config());
        recurse(woven, 1, 100);
        assertEquals(100L, weaving.snapshot().get(0).get("count"));
        assertNull(weaving.snapshot().get(0).get("timed"));
    }

    @Test
    void theTableIsBoundedAndSaysWhatItDidNotHold() throws Exception {
        Weaving weaving = new Weaving(Weaving.probe(NAME, "'overwrites'", "{'argument':2}", false));
        Class<?> woven = weaving.define(Fixture.class);
        Object fixture = woven.getConstructor(boolean.class).newInstance(false);
        java.lang.reflect.Method method = woven.getMethod("overwrites", Object.class, int.class);
        int calls = 30_000;
        for (int i = 0; i < calls; i++) {
            method.invoke(fixture, "x", i);
        }
        long kept = weaving.count();
        Map<String, Object> last = weaving.snapshot().get(weaving.snapshot().size() - 1);
        assertEquals("left-out", last.get("kind"));
        assertTrue(kept <= 20_000 && kept > 10_000, "kept " + kept);
        assertEquals(calls, kept + (Long) last.get("count"));
    }

    /** A class whose method `large` has almost as much code as a method may have. */
    private static byte[] generated(int version, boolean large) {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        out.visit(version, Opcodes.ACC_PUBLIC, "gen/Made", null, "java/lang/Object", null);
        MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "large", "(I)I", null, null);
        code.visitCode();
        for (int i = 0; large && i < 21_840; i++) {
            code.visitIincInsn(0, 1);
        }
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        MethodVisitor old = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "old", "(I)I", null, null);
        old.visitCode();
        Label end = new Label();
        old.visitVarInsn(Opcodes.ILOAD, 0);
        if (version < Opcodes.V1_6) {
            // Without frames, and with a subroutine, as old compilers wrote `finally`.
            Label subroutine = new Label();
            old.visitJumpInsn(Opcodes.JSR, subroutine);
            old.visitJumpInsn(Opcodes.GOTO, end);
            old.visitLabel(subroutine);
            old.visitVarInsn(Opcodes.ASTORE, 1);
            old.visitIincInsn(0, 5);
            old.visitVarInsn(Opcodes.RET, 1);
            old.visitLabel(end);
        }
        old.visitInsn(Opcodes.IRETURN);
        old.visitMaxs(0, 0);
        out.visitEnd();
        return out.toByteArray();
    }

    /**
     * As Byte Buddy and SkyWalking leave a class: the method `row` calls what it was before, by way
     * of an accessor.
     */
    private static byte[] wrapped(String original, String accessor) {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        out.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "gen/Made", null, "java/lang/Object", null);
        String[] chain = {"row", accessor, original};
        for (int place = 0; place < chain.length; place++) {
            String name = chain[place];
            MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, name, "(I)I", null, null);
            code.visitCode();
            code.visitVarInsn(Opcodes.ILOAD, 0);
            if (place < 2) {
                code.visitMethodInsn(Opcodes.INVOKESTATIC, "gen/Made", chain[place + 1], "(I)I", false);
            }
            code.visitInsn(Opcodes.IRETURN);
            code.visitMaxs(0, 0);
            code.visitEnd();
        }
        out.visitEnd();
        return out.toByteArray();
    }

    @Test
    void whatAnotherAgentHasRenamedIsTracedUnderItsOwnName() throws Exception {
        for (String[] renamed : new String[][] {{"row$original$x8Yq", "row$original$x8Yq$accessor$Ab3k"},
            {"$sw$original$row$c8tpsq2", "$sw$original$row$c8tpsq2$accessor$$sw$p2boiv3"}}) {
            String original = renamed[0];
            byte[] wrapped = wrapped(original, renamed[1]);
            Weaving weaving = new Weaving(new TraceInstrument(request("{'roots':[{'class':'gen.Made','methods':['row']}],'inner':[]}")));
            Class<?> made = weaving.define("gen.Made", wrapped);
            assertEquals(3, made.getMethod("row", int.class).invoke(null, 3));
            List<Map<String, Object>> lines = weaving.snapshot();
            assertEquals(2, lines.size(), lines.toString());
            for (Map<String, Object> line : lines) {
                assertEquals("gen.Made.row", line.get("method"), original);
                assertEquals(1L, line.get("count"), original);
            }
            assertEquals("gen.Made.row", ((Map<?, ?>) ((List<?>) lines.get(0).get("callees")).get(0)).get("method"));
            // Counted once.
            Weaving counting = new Weaving(Weaving.probe("gen.Made", "'row'", "", false));
            counting.define("gen.Made", wrapped).getMethod("row", int.class).invoke(null, 3);
            assertEquals(1, counting.count());
        }
    }

    @Test
    void aMethodThatWouldBecomeTooLargeIsLeftAloneAndTheOthersAreNot() throws Exception {
        Weaving weaving = new Weaving(Weaving.probe("gen.Made", "'*'", "", false));
        Class<?> made = weaving.define("gen.Made", generated(Opcodes.V1_8, true));
        assertEquals(21_843, made.getMethod("large", int.class).invoke(null, 3));
        assertEquals(3, made.getMethod("old", int.class).invoke(null, 3));
        assertEquals(1, weaving.count());
        String refused = weaving.weaver.begun().get("refused").toString();
        assertTrue(refused.contains("gen.Made.large") && refused.contains("64 KB"), refused);
    }

    /** A class whose method `many` has so many additions and calls. */
    private static byte[] many(int additions, int calls) {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        out.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "gen/Made", null, "java/lang/Object", null);
        MethodVisitor called = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "called", "()V", null, null);
        called.visitCode();
        called.visitInsn(Opcodes.RETURN);
        called.visitMaxs(0, 0);
        called.visitEnd();
        MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "many", "(I)I", null, null);
        code.visitCode();
        for (int i = 0; i < additions; i++) {
            code.visitIincInsn(0, 1);
        }
        for (int i = 0; i < calls; i++) {
            code.visitMethodInsn(Opcodes.INVOKESTATIC, "gen/Made", "called", "()V", false);
        }
        code.visitVarInsn(Opcodes.ILOAD, 0);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        out.visitEnd();
        return out.toByteArray();
    }

    @Test
    void aTraceThatWouldKeepTheJvmFromCompilingAMethodDoesNotTimeTheCallsInIt() throws Exception {
        byte[] bytes = many(0, 1_000);
        assertEquals(3_002, CodeSizes.of(new ClassReader(bytes)).get("many(I)I"));
        Weaving weaving = new Weaving(new TraceInstrument(request("{'roots':[{'class':'gen.Made','methods':['many']}],'inner':[]}")));
        byte[] woven = weaving.woven("gen.Made", bytes);
        assertTrue(CodeSizes.of(new ClassReader(woven)).get("many(I)I") <= CodeSizes.LIMIT);
        assertEquals(7, weaving.define("gen.Made", bytes).getMethod("many", int.class).invoke(null, 7));
        Map<String, Object> root = weaving.snapshot().get(0);
        assertEquals(1L, root.get("count"));
        assertEquals(List.of(), root.get("callees"));
        String refused = weaving.weaver.begun().get("refused").toString();
        assertTrue(refused.contains("each call in gen.Made.many") && refused.contains("no longer compile"), refused);
    }

    @Test
    void aMethodThatTheJvmWouldNoLongerCompileIsLeftAloneAndOneThatItNeverDidIsNot() {
        Weaving weaving = new Weaving(Weaving.probe("gen.Made", "'many'", "", false));
        assertNull(weaving.woven("gen.Made", many(2_664, 0)));
        String refused = weaving.weaver.begun().get("refused").toString();
        assertTrue(refused.contains("gen.Made.many") && refused.contains("no longer compile"), refused);
        Weaving huge = new Weaving(Weaving.probe("gen.Made", "'many'", "", false));
        assertTrue(huge.woven("gen.Made", many(2_700, 0)) != null);
    }

    /** As Groovy writes a constructor that picks one of several of its superclass. */
    private static byte[] withTwoCallsOfSuper() {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_FRAMES);
        out.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "gen/Made", null, "java/lang/Object", null);
        MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "(I)V", null, null);
        Label second = new Label();
        Label end = new Label();
        code.visitCode();
        code.visitVarInsn(Opcodes.ILOAD, 1);
        code.visitJumpInsn(Opcodes.IFEQ, second);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitJumpInsn(Opcodes.GOTO, end);
        code.visitLabel(second);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        code.visitLabel(end);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        out.visitEnd();
        return out.toByteArray();
    }

    @Test
    void aConstructorThatCallsSuperInSeveralPlacesIsLeftAlone() throws Exception {
        Weaving weaving = new Weaving(Weaving.probe("gen.Made", "'<init>'", "", false));
        Class<?> made = weaving.define("gen.Made", withTwoCallsOfSuper());
        for (int which = 0; which < 2; which++) {
            assertEquals(made, made.getConstructor(int.class).newInstance(which).getClass());
        }
        assertEquals(0, weaving.count());
        String refused = weaving.weaver.begun().get("refused").toString();
        assertTrue(refused.contains("gen.Made.<init>") && refused.contains("several places"), refused);
    }

    @Test
    void classesOfOldCompilersAreInstrumentedToo() throws Exception {
        for (int version : new int[] {Opcodes.V1_2, Opcodes.V1_4, Opcodes.V1_5}) {
            Weaving weaving = new Weaving(Weaving.probe("gen.Made", "'*'", "", false));
            Class<?> made = weaving.define("gen.Made", generated(version, false));
            assertEquals(3, made.getMethod("old", int.class).invoke(null, 3));
            assertEquals(1, weaving.count());
        }
    }

    /** Does what it is told when a method is woven. */
    private static Instrument doing(java.util.function.Function<MethodVisitor, MethodVisitor> weaving) {
        return new Instrument() {
            private final TachoConfig config = new TachoConfig(1, new String[0], null);

            @Override
            public List<MethodPattern> patterns() {
                return List.of(new MethodPattern(request("{'class':'*','methods':['old']}")));
            }

            @Override
            public String name(int pattern) {
                return "doing";
            }

            @Override
            public MethodVisitor weave(MethodVisitor out, Method method, List<Integer> patterns) {
                return weaving.apply(out);
            }

            @Override
            public TachoConfig config() {
                return config;
            }

            @Override
            public List<Map<String, Object>> snapshot() {
                return List.of();
            }
        };
    }

    @Test
    void whateverGoesWrongInTheTransformerLeavesTheClassAsItIsAndIsSaid() {
        for (Throwable wrong : new Throwable[] {new StackOverflowError("deep"), new NoClassDefFoundError("gone"), new OutOfMemoryError("full"),
            new ClassCircularityError("round"), new IllegalStateException("odd")}) {
            Weaving weaving = new Weaving(doing(out -> {
                if (wrong instanceof Error) {
                    throw (Error) wrong;
                }
                throw (RuntimeException) wrong;
            }));
            assertNull(weaving.woven("gen.Made", generated(Opcodes.V1_8, false)));
            String refused = weaving.weaver.begun().get("refused").toString();
            assertTrue(refused.contains("gen.Made") && refused.contains(wrong.toString()), refused);
            // And the next one is woven as if nothing had been.
            assertTrue(TachoTable.enterTransformer());
            TachoTable.leaveTransformer();
        }
    }

    @Test
    void aTransformerThatIsEnteredAgainLeavesThatClassAlone() {
        byte[] bytes = generated(Opcodes.V1_8, false);
        List<Object> inner = new ArrayList<>();
        Weaving[] weaving = new Weaving[1];
        weaving[0] = new Weaving(doing(out -> {
            inner.add(weaving[0].woven("gen.Inner", bytes) == null);
            return out;
        }));
        assertTrue(weaving[0].woven("gen.Made", bytes) != null);
        assertEquals(List.of(true), inner);
    }

    /** Of a JVM that fails at the so-many-th call of a method. */
    private static java.lang.instrument.Instrumentation failing(String method, int time, List<Object> transformers) {
        int[] calls = {0};
        return (java.lang.instrument.Instrumentation) java.lang.reflect.Proxy.newProxyInstance(WeavingTest.class.getClassLoader(),
                new Class<?>[] {java.lang.instrument.Instrumentation.class}, (proxy, called, arguments) -> {
                    if (called.getName().equals(method) && ++calls[0] == time) {
                        throw new OutOfMemoryError("no room for " + method);
                    }
                    switch (called.getName()) {
                        case "addTransformer":
                            return transformers.add(arguments[0]) ? null : null;
                        case "removeTransformer":
                            return transformers.remove(arguments[0]);
                        case "getAllLoadedClasses":
                            return new Class<?>[] {Fixture.class};
                        default:
                            return called.getReturnType() == boolean.class ? true : null;
                    }
                });
    }

    @Test
    void anInstrumentThatFailsHalfWayIsTakenOut() throws Exception {
        for (Object[] step : new Object[][] {{"getAllLoadedClasses", 1}, {"addTransformer", 1}, {"getAllLoadedClasses", 2}, {"isModifiableClass", 1}}) {
            List<Object> transformers = new ArrayList<>();
            Insertion insertion = new Insertion(failing((String) step[0], (Integer) step[1], transformers));
            Instrument instrument = Weaving.probe(NAME, "'*'", "", false);
            try {
                insertion.put(instrument);
                throw new AssertionError(step[0] + " did not fail");
            } catch (OutOfMemoryError e) {
                assertTrue(e.getMessage().startsWith("no room for"), e.toString());
            }
            assertEquals(List.of(), transformers, "after " + step[0]);
            assertEquals("no instrument is in", org.junit.jupiter.api.Assertions.assertThrows(IllegalStateException.class, insertion::instrument).getMessage());
            // The next one comes in.
            assertTrue(insertion.put(Weaving.probe(NAME, "'*'", "", false)) != null);
            assertEquals(1, transformers.size());
            insertion.remove();
            assertEquals(List.of(), transformers);
        }
    }

    @Test
    void aClassFileOfTheFutureIsRefused() {
        Weaving weaving = new Weaving(Weaving.probe("gen.Made", "'*'", "", false));
        byte[] bytes = generated(Opcodes.V1_8, false);
        bytes[7] = (byte) 200;
        assertNull(weaving.woven("gen.Made", bytes));
        assertTrue(weaving.weaver.begun().get("refused").toString().contains("version"));
    }
}
