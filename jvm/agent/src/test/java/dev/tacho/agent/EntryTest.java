package dev.tacho.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

class EntryTest {
    private static final String BEGUN = "dev.tacho.agent.EntryTest";

    @TempDir
    Path scratch;

    @AfterEach
    void forget() {
        System.clearProperty(BEGUN);
    }

    /** That of another version: it only notes which folder it is given. */
    private static byte[] session() {
        ClassWriter out = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        out.visit(Opcodes.V1_8, Opcodes.ACC_PUBLIC, "dev/tacho/agent/Session", null, "java/lang/Object", null);
        MethodVisitor code = out.visitMethod(Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC, "begin",
                "(Ljava/lang/String;Ljava/lang/instrument/Instrumentation;Ljava/lang/AutoCloseable;)V", null, null);
        code.visitCode();
        code.visitLdcInsn(BEGUN);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "setProperty", "(Ljava/lang/String;Ljava/lang/String;)Ljava/lang/String;", false);
        code.visitInsn(Opcodes.POP);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        code.visitEnd();
        out.visitEnd();
        return out.toByteArray();
    }

    @Test
    void theSessionIsOfTheJarThatIsNamedAndNotOfTheFirstOne() throws Exception {
        Path jar = scratch.resolve("an agent.jar");
        try (var zip = new ZipOutputStream(Files.newOutputStream(jar))) {
            zip.putNextEntry(new ZipEntry("dev/tacho/agent/Session.class"));
            zip.write(session());
            zip.closeEntry();
        }
        Entry.agentmain("/tmp/of a session\n" + jar, null);
        assertEquals("/tmp/of a session", System.getProperty(BEGUN));
    }
}
