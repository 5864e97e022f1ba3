package dev.tacho.agent;

import dev.tacho.table.TachoName;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;

/** A method that is woven. */
final class Method {
    final String owner;
    final String name;
    final String descriptor;
    final int access;
    /** The first local variable that the method itself does not use. */
    final int freeLocal;
    /** Its class file has frames (since Java 6). */
    final boolean frames;
    /** As little code as possible is put into it ({@link Instrument#canBeBrief}). */
    final boolean brief;

    Method(String owner, String name, String descriptor, int access, int freeLocal, boolean frames, boolean brief) {
        this.owner = owner;
        this.name = name;
        this.descriptor = descriptor;
        this.access = access;
        this.freeLocal = freeLocal;
        this.frames = frames;
        this.brief = brief;
    }

    boolean isStatic() {
        return (access & Opcodes.ACC_STATIC) != 0;
    }

    boolean isConstructor() {
        return name.equals("<init>");
    }

    Type[] arguments() {
        return Type.getArgumentTypes(descriptor);
    }

    Type result() {
        return Type.getReturnType(descriptor);
    }

    /** {@code package.Class.method}, by its own name. */
    String text() {
        return owner.replace('/', '.') + "." + TachoName.of(name);
    }

    /** The local variable that holds an argument, counted from 0. */
    int local(int argument) {
        Type[] arguments = arguments();
        int local = isStatic() ? 0 : 1;
        for (int i = 0; i < argument; i++) {
            local += arguments[i].getSize();
        }
        return local;
    }
}
