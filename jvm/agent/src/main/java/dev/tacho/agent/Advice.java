package dev.tacho.agent;

import dev.tacho.table.TachoCall;
import java.util.Arrays;
import org.objectweb.asm.Label;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/**
 * Puts code at the start of a method, before each return, and into a handler around its body, which
 * throws the exception on unchanged. The inserted code keeps its values in new local variables
 * behind those of the method, so none of the method's is renumbered. Every stack map frame gets
 * these variables; the frame of the new handler has only them. So frames are never computed, and no
 * class has to be looked up for them. A constructor is wrapped only after its call of
 * {@code super(...)} or {@code this(...)}: before that its object is not initialised.
 */
abstract class Advice extends MethodVisitor {
    static final String CALL = Type.getInternalName(TachoCall.class);

    final Method method;
    /** How many local variables are added; each holds a {@link TachoCall}. */
    private final int locals;
    private final Label begin = new Label();
    private final Label end = new Label();
    private boolean entered;
    /**
     * How many objects were made with {@code new} and have no constructor call yet. It is counted
     * until {@code super(...)} or {@code this(...)} is called.
     */
    private int unconstructed;

    Advice(MethodVisitor out, Method method, int locals) {
        super(Opcodes.ASM9, out);
        this.method = method;
        this.locals = locals;
    }

    /** Before the first instruction: stores a call in each local variable. */
    abstract void enter();

    /** Before a return; the result, if there is one, is on the stack and stays there. */
    abstract void leave(int opcode);

    /** The exception is on the stack and stays there. */
    abstract void thrown();

    final int local(int number) {
        return method.freeLocal + number;
    }

    final void number(int value) {
        if (value >= -1 && value <= 5) {
            mv.visitInsn(Opcodes.ICONST_0 + value);
        } else if (value >= Byte.MIN_VALUE && value <= Byte.MAX_VALUE) {
            mv.visitIntInsn(Opcodes.BIPUSH, value);
        } else if (value >= Short.MIN_VALUE && value <= Short.MAX_VALUE) {
            mv.visitIntInsn(Opcodes.SIPUSH, value);
        } else {
            mv.visitLdcInsn(value);
        }
    }

    /** An argument, counted from 0, as an object. */
    final void argument(int argument) {
        Type type = method.arguments()[argument];
        mv.visitVarInsn(type.getOpcode(Opcodes.ILOAD), method.local(argument));
        box(type);
    }

    final void box(Type type) {
        String boxed;
        switch (type.getSort()) {
            case Type.BOOLEAN:
                boxed = "java/lang/Boolean";
                break;
            case Type.CHAR:
                boxed = "java/lang/Character";
                break;
            case Type.BYTE:
                boxed = "java/lang/Byte";
                break;
            case Type.SHORT:
                boxed = "java/lang/Short";
                break;
            case Type.INT:
                boxed = "java/lang/Integer";
                break;
            case Type.LONG:
                boxed = "java/lang/Long";
                break;
            case Type.FLOAT:
                boxed = "java/lang/Float";
                break;
            case Type.DOUBLE:
                boxed = "java/lang/Double";
                break;
            default:
                return;
        }
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, boxed, "valueOf", "(" + type.getDescriptor() + ")L" + boxed + ";", false);
    }

    /** The object whose method it is, or null. */
    final void receiver() {
        if (method.isStatic()) {
            mv.visitInsn(Opcodes.ACONST_NULL);
        } else {
            mv.visitVarInsn(Opcodes.ALOAD, 0);
        }
    }

    final void table(String name, String descriptor) {
        mv.visitMethodInsn(Opcodes.INVOKESTATIC, ProbeInstrument.TABLE, name, descriptor, false);
    }

    @Override
    public void visitCode() {
        super.visitCode();
        for (int i = 0; i < locals; i++) {
            mv.visitInsn(Opcodes.ACONST_NULL);
            mv.visitVarInsn(Opcodes.ASTORE, local(i));
        }
        if (!method.isConstructor()) {
            begin();
        }
    }

    private void begin() {
        entered = true;
        enter();
        mv.visitLabel(begin);
    }

    final boolean isEntered() {
        return entered;
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        super.visitTypeInsn(opcode, type);
        if (opcode == Opcodes.NEW && !entered) {
            unconstructed++;
        }
    }

    @Override
    public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
        super.visitMethodInsn(opcode, owner, name, descriptor, isInterface);
        if (!entered && opcode == Opcodes.INVOKESPECIAL && name.equals("<init>") && unconstructed-- == 0) {
            begin();
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (entered && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
            leave(opcode);
        }
        super.visitInsn(opcode);
    }

    @Override
    public void visitFrame(int type, int count, Object[] local, int stackCount, Object[] stack) {
        if (type != Opcodes.F_NEW) {
            throw new IllegalStateException("frames have to be read with EXPAND_FRAMES");
        }
        Object[] all = padded(count, local);
        super.visitFrame(Opcodes.F_NEW, all.length, all, stackCount, stack);
    }

    /** The variables of a frame, and ours. */
    private Object[] padded(int count, Object[] local) {
        int size = 0;
        for (int i = 0; i < count; i++) {
            size += local[i] == Opcodes.LONG || local[i] == Opcodes.DOUBLE ? 2 : 1;
        }
        int unused = method.freeLocal - size;
        Object[] all = Arrays.copyOf(local, count + unused + locals);
        Arrays.fill(all, count, count + unused, Opcodes.TOP);
        Arrays.fill(all, count + unused, all.length, CALL);
        return all;
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        if (entered) {
            mv.visitLabel(end);
            if (begin.getOffset() != end.getOffset()) {
                mv.visitTryCatchBlock(begin, end, end, null);
                if (method.frames) {
                    Object[] all = padded(0, new Object[0]);
                    mv.visitFrame(Opcodes.F_NEW, all.length, all, 1, new Object[] {"java/lang/Throwable"});
                }
                thrown();
                mv.visitInsn(Opcodes.ATHROW);
            }
        }
        super.visitMaxs(maxStack, maxLocals);
    }
}
