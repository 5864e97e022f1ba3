package dev.tacho.agent;

import dev.tacho.table.TachoConfig;
import dev.tacho.table.TachoName;
import dev.tacho.table.TachoNode;
import dev.tacho.table.TachoSlot;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/**
 * Times methods and each call in them. A root method begins a tree; an inner method is timed only
 * when it is called within a tree. A call that ends with an exception is noted where the method
 * catches the exception, or where the exception leaves the method. So no call needs its
 * own handler.
 */
final class TraceInstrument implements Instrument {
    private static final String DESCRIPTOR = "L" + Advice.CALL + ";";
    /** Cheaper than two looks at the clock, and nobody wonders about them. */
    private static final Set<String> NOT_TIMED = new HashSet<>(Arrays.asList(
            "java/lang/Object", "java/lang/StringBuilder", "java/lang/StringBuffer", "java/lang/Boolean", "java/lang/Byte",
            "java/lang/Character", "java/lang/Short", "java/lang/Integer", "java/lang/Long", "java/lang/Float",
            "java/lang/Double", "java/lang/Math", "java/util/Objects"));
    private static final int MOST_SITES = 2_000;
    /** Of the processor time that the JVM can have. */
    private static final long BUDGET_PER_MILLE = 50;
    private static final long MOST_CALLS = 100;

    private final List<MethodPattern> patterns = new ArrayList<>();
    private final int roots;
    private final TachoConfig config;
    final Budget budget;

    TraceInstrument(Request request) {
        for (Request root : request.objects("roots")) {
            patterns.add(new MethodPattern(root));
        }
        roots = patterns.size();
        for (Request inner : request.objects("inner")) {
            patterns.add(new MethodPattern(inner));
        }
        config = new TachoConfig(patterns.size(), new String[0], null);
        long calls = Math.min(MOST_CALLS, request.number("calls", 0));
        if (calls > 0) {
            config.keepOneByOne(request.number("slower-than-ns", 0), (int) calls);
        }
        budget = new Budget(request.number("budget-per-mille", BUDGET_PER_MILLE) / 1000.0);
        budget.begin(config);
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
        return new Trace(out, method, matching.get(0));
    }

    private final class Trace extends Advice {
        private final int pattern;
        private final int number = config.reserve();
        private final List<String> sites = new ArrayList<>();
        private final Set<Label> handlers = new HashSet<>();
        private boolean atHandler;
        private int line;

        Trace(MethodVisitor out, Method method, int pattern) {
            super(out, method, 1);
            this.pattern = pattern;
        }

        @Override
        void enter() {
            number(number);
            table("traceEnter", "(I)" + DESCRIPTOR);
            mv.visitVarInsn(Opcodes.ASTORE, local(0));
        }

        @Override
        void leave(int opcode) {
            mv.visitVarInsn(Opcodes.ALOAD, local(0));
            table("traceReturned", "(" + DESCRIPTOR + ")V");
        }

        @Override
        void thrown() {
            mv.visitVarInsn(Opcodes.ALOAD, local(0));
            table("traceThrown", "(" + DESCRIPTOR + ")V");
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, String type) {
            handlers.add(handler);
            super.visitTryCatchBlock(start, end, handler, type);
        }

        @Override
        public void visitLabel(Label label) {
            super.visitLabel(label);
            atHandler |= handlers.contains(label);
        }

        @Override
        public void visitLineNumber(int number, Label start) {
            line = number;
            super.visitLineNumber(number, start);
        }

        /** Before the first instruction of a handler, after its frame. */
        private void handler() {
            if (atHandler) {
                atHandler = false;
                mv.visitVarInsn(Opcodes.ALOAD, local(0));
                table("caught", "(" + DESCRIPTOR + ")V");
            }
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            handler();
            if (!isEntered() || method.brief || NOT_TIMED.contains(owner) || owner.startsWith("[") || sites.size() >= MOST_SITES) {
                super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
                return;
            }
            mv.visitVarInsn(Opcodes.ALOAD, local(0));
            number(sites.size());
            table("callStart", "(" + DESCRIPTOR + "I)V");
            sites.add(owner.replace('/', '.') + "." + TachoName.of(name) + "\n" + descriptor + "\n" + line);
            super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
            mv.visitVarInsn(Opcodes.ALOAD, local(0));
            table("callEnd", "(" + DESCRIPTOR + ")V");
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(maxStack, maxLocals);
            config.set(number, new TachoSlot(pattern, method.text(), sites.toArray(new String[0]), pattern < roots));
        }

        @Override
        public void visitInsn(int opcode) {
            handler();
            super.visitInsn(opcode);
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            handler();
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int index) {
            handler();
            super.visitVarInsn(opcode, index);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            handler();
            super.visitTypeInsn(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            handler();
            super.visitFieldInsn(opcode, owner, name, descriptor);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            handler();
            super.visitInvokeDynamicInsn(name, descriptor, bootstrap, arguments);
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            handler();
            super.visitJumpInsn(opcode, label);
        }

        @Override
        public void visitLdcInsn(Object value) {
            handler();
            super.visitLdcInsn(value);
        }

        @Override
        public void visitIincInsn(int index, int increment) {
            handler();
            super.visitIincInsn(index, increment);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
            handler();
            super.visitTableSwitchInsn(min, max, otherwise, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            handler();
            super.visitLookupSwitchInsn(otherwise, keys, labels);
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            handler();
            super.visitMultiANewArrayInsn(descriptor, dimensions);
        }
    }

    /**
     * Both the wrapper and the renamed method in it are traced: the trace goes on in the second.
     * (Instruments that count leave it out, since they would count each call twice.)
     */
    @Override
    public boolean followsRenamed() {
        return true;
    }

    /** Then the method is timed, and the calls in it are not. */
    @Override
    public boolean canBeBrief() {
        return true;
    }

    @Override
    public void keepWithin() {
        budget.lookFrom(config);
    }

    @Override
    public List<Map<String, Object>> snapshot() {
        List<Map<String, Object>> lines = new ArrayList<>();
        for (MergedNode root : MergedNode.of(config.roots())) {
            root.write(lines);
        }
        for (TachoNode call : config.kept()) {
            Map<String, Object> line = new LinkedHashMap<>();
            line.put("kind", "call");
            line.put("thread", call.thread());
            line.put("at_ns", call.began());
            lines.add(line);
            for (MergedNode root : MergedNode.of(Collections.singletonList(call))) {
                root.write(lines);
            }
        }
        for (int i = 0; i < roots; i++) {
            if (config.leftOut(i) > 0) {
                Map<String, Object> line = new LinkedHashMap<>();
                line.put("kind", "left-out");
                line.put("probe", name(i));
                line.put("count", config.leftOut(i));
                lines.add(line);
            }
        }
        return lines;
    }
}
