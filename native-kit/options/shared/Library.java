import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.CRC32;
import org.graalvm.nativeimage.IsolateThread;
import org.graalvm.nativeimage.c.function.CEntryPoint;

/** Functions for C, which lean on the JDK's own C libraries: files, sockets' addresses, zip. */
public final class Library {

    private Library() {
    }

    @CEntryPoint(name = "library_size_of_this_process_command")
    static int sizeOfCommand(IsolateThread thread) {
        try {
            return Files.readAllBytes(Path.of("/proc/self/comm")).length;
        } catch (IOException absent) {
            return -1;
        }
    }

    @CEntryPoint(name = "library_first_byte_of_loopback")
    static int firstByteOfLoopback(IsolateThread thread) {
        return InetAddress.getLoopbackAddress().getAddress()[0];
    }

    @CEntryPoint(name = "library_checksum")
    static long checksum(IsolateThread thread, int value) {
        CRC32 sum = new CRC32();
        sum.update(value);
        return sum.getValue();
    }
}
