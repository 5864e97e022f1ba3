package dev.tacho.agent;

import dev.tacho.table.TachoConfig;
import dev.tacho.table.TachoSink;
import dev.tacho.table.TachoSlot;
import dev.tacho.table.TachoStack;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Shows calls one by one, up to a number. */
final class WatchInstrument implements Instrument {
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String DESCRIPTOR = "L" + Advice.CALL + ";";
    private static final int MOST = 10_000;

    private final List<MethodPattern> patterns;
    private final TachoConfig config;
    private final Calls calls;

    WatchInstrument(Request request) {
        Request watch = request;
        patterns = Collections.singletonList(new MethodPattern(watch));
        calls = new Calls(watch);
        config = new TachoConfig(1, request.texts("owners").toArray(new String[0]), calls);
    }

    /** Keeps what is asked for, and no more. */
    private static final class Calls extends TachoSink {
        private final Renderer renderer;
        private final long slowerThan;
        private final boolean onlyFailed;
        private final AtomicInteger room;
        private final long since = System.nanoTime();
        private final ConcurrentLinkedQueue<Map<String, Object>> kept = new ConcurrentLinkedQueue<>();

        Calls(Request watch) {
            renderer = new Renderer((int) watch.number("depth", 1), (int) watch.number("length", 200), watch.flag("to-string"));
            slowerThan = watch.number("slower-than-ns", 0);
            onlyFailed = watch.flag("only-failed");
            room = new AtomicInteger((int) Math.min(MOST, watch.number("at-most", 100)));
        }

        @Override
        public Object enter(TachoSlot slot, Object receiver, Object[] arguments) {
            if (room.get() <= 0) {
                return null;
            }
            Map<String, Object> call = new LinkedHashMap<>();
            call.put("kind", "watched");
            call.put("method", slot.method);
            call.put("thread", Thread.currentThread().getName());
            call.put("at_ns", System.nanoTime() - since);
            call.put("receiver", receiver == null ? null : renderer.reference(receiver));
            List<String> texts = new ArrayList<>();
            for (Object argument : arguments) {
                // As it is now: the method may change it.
                texts.add(renderer.render(argument));
            }
            call.put("arguments", texts);
            return call;
        }

        @Override
        @SuppressWarnings("unchecked")
        public void exit(Object token, boolean hasResult, Object result, Throwable thrown, long nanos, TachoStack stack) {
            if (nanos < slowerThan || onlyFailed && thrown == null || room.getAndDecrement() <= 0) {
                return;
            }
            Map<String, Object> call = (Map<String, Object>) token;
            call.put("took_ns", nanos);
            call.put("result", hasResult ? renderer.render(result) : null);
            call.put("exception", thrown == null ? null : renderer.exception(thrown));
            call.put("frames", stack == null ? Collections.emptyList() : Arrays.asList(stack.frames));
            kept.add(call);
        }
    }

    @Override
    public List<MethodPattern> patterns() {
        return patterns;
    }

    @Override
    public String name(int pattern) {
        return patterns.get(pattern).name;
    }

    @Override
    public TachoConfig config() {
        return config;
    }

    @Override
    public MethodVisitor weave(MethodVisitor out, Method method, List<Integer> matching) {
        return new Watch(out, method);
    }

    private final class Watch extends Advice {
        Watch(MethodVisitor out, Method method) {
            super(out, method, 1);
        }

        @Override
        void enter() {
            number(config.add(new TachoSlot(0, method.text(), method.isConstructor(), new int[0], false)));
            receiver();
            int count = method.arguments().length;
            number(count);
            mv.visitTypeInsn(Opcodes.ANEWARRAY, "java/lang/Object");
            for (int i = 0; i < count; i++) {
                mv.visitInsn(Opcodes.DUP);
                number(i);
                argument(i);
                mv.visitInsn(Opcodes.AASTORE);
            }
            table("watchEnter", "(I" + OBJECT + "[" + OBJECT + ")" + DESCRIPTOR);
            mv.visitVarInsn(Opcodes.ASTORE, local(0));
        }

        @Override
        void leave(int opcode) {
            if (opcode == Opcodes.RETURN) {
                mv.visitVarInsn(Opcodes.ALOAD, local(0));
                table("watchReturned", "(" + DESCRIPTOR + ")V");
                return;
            }
            mv.visitInsn(opcode == Opcodes.LRETURN || opcode == Opcodes.DRETURN ? Opcodes.DUP2 : Opcodes.DUP);
            box(method.result());
            mv.visitVarInsn(Opcodes.ALOAD, local(0));
            table("watchReturned", "(" + OBJECT + DESCRIPTOR + ")V");
        }

        @Override
        void thrown() {
            mv.visitInsn(Opcodes.DUP);
            mv.visitVarInsn(Opcodes.ALOAD, local(0));
            table("watchThrown", "(Ljava/lang/Throwable;" + DESCRIPTOR + ")V");
        }
    }

    @Override
    public List<Map<String, Object>> snapshot() {
        return new ArrayList<>(calls.kept);
    }
}
