package dev.tacho.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RequestTest {
    @Test
    void jsonIsReadAsItIsWritten() {
        String text = "{\"a\":[1,-2.5,true,null,\"q\\\"\\\\\\n\\u00e9\"],\"b\":{},\"c\":[]}";
        Object value = Json.read(text);
        assertEquals(value, Json.read(Json.write(value)));
        assertEquals("\"\\u0001\ufffd\ud83d\ude00\"", Json.write("\u0001\ud83d\ud83d\ude00"));
    }

    @Test
    void whatIsNoJsonIsRefused() {
        for (String text : new String[] {"", "{", "[1,", "{\"a\" 1}", "\"\\u12\"", "tru", "1 2", "-", "[" .repeat(100)}) {
            assertThrows(IllegalArgumentException.class, () -> Json.read(text), text);
        }
    }

    @Test
    void aPatternNamesClassesAndMethods() {
        MethodPattern pattern = new MethodPattern(Request.parse("{\"class\":\"com.*.Shop\",\"methods\":[\"get*\",\"find(I)V\"]}"));
        assertTrue(pattern.namesClass("com.acme.web.Shop") && !pattern.namesClass("com.acme.Shops") && !pattern.namesClass("com.acme.ShopX"));
        assertTrue(pattern.namesMethod("getAll", "()V") && pattern.namesMethod("find", "(I)V"));
        assertFalse(pattern.namesMethod("find", "(J)V") || pattern.namesMethod("target", "()V"));
        assertThrows(IllegalArgumentException.class, () -> new MethodPattern(Request.parse("{\"class\":\"a.B\",\"methods\":[]}")));
    }

    @Test
    void aFolderThatOthersCouldUseIsRefused(@TempDir Path parent) throws Exception {
        Path open = Files.createDirectory(parent.resolve("open"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-x---")));
        assertThrows(IllegalArgumentException.class, () -> Folder.trusted(open));
        assertThrows(IllegalArgumentException.class, () -> Folder.trusted(Path.of("relative")));
        Path file = Files.createFile(parent.resolve("file"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        assertThrows(IllegalArgumentException.class, () -> Folder.trusted(file));
        Path own = Files.createDirectory(parent.resolve("own"), PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        Path link = Files.createSymbolicLink(parent.resolve("link"), own);
        assertThrows(IllegalArgumentException.class, () -> Folder.trusted(link));
        assertEquals(own.toRealPath().toString(), Folder.trusted(own).toString());
    }
}
