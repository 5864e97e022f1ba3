package dev.tacho.agent;

import dev.tacho.table.TachoCell;
import dev.tacho.table.TachoConfig;
import dev.tacho.table.TachoKey;
import dev.tacho.table.TachoSlot;
import dev.tacho.table.TachoTable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** Counts and times calls by key, outcome and stack. */
final class ProbeInstrument implements Instrument {
    static final String TABLE = Type.getInternalName(TachoTable.class);
    private static final String OBJECT = "Ljava/lang/Object;";
    private static final String DESCRIPTOR = "L" + Advice.CALL + ";";
    private static final int NONE = -1;

    private final List<MethodPattern> patterns = new ArrayList<>();
    private final List<Probe> probes = new ArrayList<>();
    private final TachoConfig config;

    private static final class Probe {
        final String id;
        final int[] keys;
        /** Arguments that are keys, counted from 0. */
        final int[] arguments;
        final boolean outermost;
        /**
         * The argument that is handed to another thread, or taken from one, counted from 1, 0 for
         * the receiver; or {@link #NONE}.
         */
        final int hands;
        final int takes;
        /** Of what is handed over; null: of any. */
        final String type;

        Probe(Request request) {
            id = request.text("id");
            outermost = request.flag("outermost");
            hands = (int) request.number("hands", NONE);
            takes = (int) request.number("takes", NONE);
            type = request.textOrNull("of-type");
            List<?> wanted = request.list("keys");
            keys = new int[wanted.size()];
            int[] places = new int[keys.length];
            int count = 0;
            for (int i = 0; i < keys.length; i++) {
                Object key = wanted.get(i);
                if (key instanceof Map) {
                    keys[i] = TachoSlot.ARGUMENT;
                    places[count++] = (int) new Request((Map<?, ?>) key).number("argument", 1) - 1;
                } else {
                    keys[i] = kind(String.valueOf(key));
                }
            }
            arguments = Arrays.copyOf(places, count);
            if (count > 2) {
                throw new IllegalArgumentException("the probe " + id + " has more than two arguments as keys");
            }
        }

        private int kind(String name) {
            switch (name) {
                case "result-class":
                    return TachoSlot.RESULT_CLASS;
                case "receiver-class":
                    return TachoSlot.RECEIVER_CLASS;
                case "receiver-loader":
                    return TachoSlot.RECEIVER_LOADER;
                case "method":
                    return TachoSlot.METHOD;
                case "message":
                    return TachoSlot.MESSAGE;
                default:
                    throw new IllegalArgumentException("the probe " + id + " asks for a key that is not known: " + name);
            }
        }

        boolean has(int key) {
            for (int kind : keys) {
                if (kind == key) {
                    return true;
                }
            }
            return false;
        }
    }

    ProbeInstrument(Request request) {
        for (Request probe : request.objects("probes")) {
            patterns.add(new MethodPattern(probe));
            Probe parsed = new Probe(probe);
            if (parsed.has(TachoSlot.MESSAGE) && !probe.text("class").equals("java.lang.Throwable")) {
                throw new IllegalArgumentException("the probe " + parsed.id + ": only constructors of java.lang.Throwable have a message");
            }
            probes.add(parsed);
        }
        config = new TachoConfig(probes.size(), request.texts("owners").toArray(new String[0]), null);
    }

    @Override
    public List<MethodPattern> patterns() {
        return patterns;
    }

    @Override
    public String name(int pattern) {
        return probes.get(pattern).id;
    }

    @Override
    public TachoConfig config() {
        return config;
    }

    @Override
    public MethodVisitor weave(MethodVisitor out, Method method, List<Integer> matching) {
        return new Probes(out, method, matching);
    }

    private final class Probes extends Advice {
        private final List<Integer> matching;

        Probes(MethodVisitor out, Method method, List<Integer> matching) {
            super(out, method, matching.size());
            this.matching = matching;
        }

        @Override
        void enter() {
            for (int i = 0; i < matching.size(); i++) {
                Probe probe = probes.get(matching.get(i));
                if (probe.hands != NONE || probe.takes != NONE) {
                    handOver(probe, matching.get(i), i);
                    continue;
                }
                TachoSlot slot = new TachoSlot(matching.get(i), method.text(), method.isConstructor(), probe.keys, probe.outermost);
                number(config.add(slot));
                if (probe.has(TachoSlot.RECEIVER_CLASS) || probe.has(TachoSlot.RECEIVER_LOADER)) {
                    receiver();
                } else {
                    mv.visitInsn(Opcodes.ACONST_NULL);
                }
                for (int place = 0; place < 2; place++) {
                    if (place < probe.arguments.length && probe.arguments[place] < method.arguments().length && probe.arguments[place] >= 0) {
                        argument(probe.arguments[place]);
                    } else {
                        mv.visitInsn(Opcodes.ACONST_NULL);
                    }
                }
                table("enter", "(I" + OBJECT + OBJECT + OBJECT + ")" + DESCRIPTOR);
                mv.visitVarInsn(Opcodes.ASTORE, local(i));
            }
        }

        private void handOver(Probe probe, int number, int place) {
            number(config.add(TachoSlot.ofHandOver(number, method.text(), probe.hands != NONE)));
            int argument = probe.hands != NONE ? probe.hands : probe.takes;
            if (argument == 0) {
                receiver();
            } else if (argument <= method.arguments().length) {
                argument(argument - 1);
            } else {
                mv.visitInsn(Opcodes.ACONST_NULL);
            }
            if (probe.hands == NONE) {
                table("taken", "(I" + OBJECT + ")V");
                return;
            }
            if (probe.type == null) {
                mv.visitInsn(Opcodes.ACONST_NULL);
            } else {
                mv.visitLdcInsn(Type.getObjectType(probe.type.replace('.', '/')));
            }
            table("handed", "(I" + OBJECT + "Ljava/lang/Class;)" + DESCRIPTOR);
            mv.visitVarInsn(Opcodes.ASTORE, local(place));
        }

        @Override
        void leave(int opcode) {
            for (int i = matching.size() - 1; i >= 0; i--) {
                if (probes.get(matching.get(i)).has(TachoSlot.MESSAGE)) {
                    mv.visitVarInsn(Opcodes.ALOAD, 0);
                    mv.visitFieldInsn(Opcodes.GETFIELD, "java/lang/Throwable", "detailMessage", "Ljava/lang/String;");
                    mv.visitVarInsn(Opcodes.ALOAD, local(i));
                    table("returned", "(" + OBJECT + DESCRIPTOR + ")V");
                } else if (opcode == Opcodes.ARETURN) {
                    mv.visitInsn(Opcodes.DUP);
                    mv.visitVarInsn(Opcodes.ALOAD, local(i));
                    table("returned", "(" + OBJECT + DESCRIPTOR + ")V");
                } else {
                    mv.visitVarInsn(Opcodes.ALOAD, local(i));
                    table("returned", "(" + DESCRIPTOR + ")V");
                }
            }
        }

        @Override
        void thrown() {
            for (int i = matching.size() - 1; i >= 0; i--) {
                mv.visitInsn(Opcodes.DUP);
                mv.visitVarInsn(Opcodes.ALOAD, local(i));
                table("thrown", "(Ljava/lang/Throwable;" + DESCRIPTOR + ")V");
            }
        }
    }

    @Override
    public List<Map<String, Object>> snapshot() {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (Map.Entry<TachoKey, TachoCell> entry : config.cells().entrySet()) {
            TachoKey key = entry.getKey();
            TachoCell cell = entry.getValue();
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("kind", "calls");
            line.put("probe", probes.get(key.probe).id);
            line.put("keys", Arrays.asList(key.keys));
            line.put("outcome", outcome(key.outcome));
            line.put("frames", Arrays.asList(key.stack.frames));
            line.put("count", cell.count());
            line.put("total_ns", cell.total());
            line.put("max_ns", cell.longest());
            lines.add(line);
        }
        for (int i = 0; i < probes.size(); i++) {
            if (config.leftOut(i) > 0) {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("kind", "left-out");
                line.put("probe", probes.get(i).id);
                line.put("count", config.leftOut(i));
                lines.add(line);
            }
        }
        return lines;
    }

    private static Object outcome(String text) {
        if (text == null) {
            return "normal";
        }
        return text.equals("null") ? "null" : Collections.singletonMap("exception", text);
    }
}
