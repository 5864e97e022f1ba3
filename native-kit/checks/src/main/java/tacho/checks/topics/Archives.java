package tacho.checks.topics;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.CRC32C;
import java.util.zip.Checksum;
import java.util.zip.Deflater;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import tacho.checks.Checks;
import tacho.checks.Scratch;
import tacho.checks.Topic;

/** Compression and what packs files. */
final class Archives implements Topic {

    private static final byte[] MUCH =
            "All work and no play makes Jack a dull boy.\n".repeat(1000).getBytes(UTF_8);

    @Override
    public void check(Checks checks) {
        checks.check("archives.gzip", "44000 back, smaller true", () -> {
            ByteArrayOutputStream packed = new ByteArrayOutputStream();
            try (OutputStream gzip = new GZIPOutputStream(packed)) {
                gzip.write(MUCH);
            }
            byte[] back = new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray())).readAllBytes();
            return back.length + " back, smaller " + (packed.size() < 1000);
        });
        checks.check("archives.deflated and inflated", "44000 back", () -> {
            byte[] packed = new byte[MUCH.length];
            byte[] back = new byte[MUCH.length];
            try (Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
                    Inflater inflater = new Inflater(true)) {
                deflater.setInput(MUCH);
                deflater.finish();
                int size = deflater.deflate(packed);
                inflater.setInput(packed, 0, size);
                return inflater.inflate(back) + " back";
            }
        });
        checks.check("archives.zip", "[a.txt hello, b/, b/c.txt 44000]", Scratch.with(Archives::zip));
        checks.check("archives.broken zip", "ZipException", Scratch.with(scratch -> {
            Path file = Files.writeString(scratch.path("broken.zip"), "PK nonsense");
            try (ZipFile zip = new ZipFile(file.toFile())) {
                return zip.size();
            } catch (ZipException e) {
                return "ZipException";
            }
        }));
        checks.check("archives.jar with a manifest", "tacho.checks.Main true", Scratch.with(Archives::jar));
        checks.check("archives.zip as a file system", "[/inside, /inside/x] x!", Scratch.with(Archives::zipFileSystem));
        checks.check(
                "archives.checksums",
                "cbf43926 e3069283 91e01de",
                () -> sum(new CRC32()) + " " + sum(new CRC32C()) + " " + sum(new Adler32()));
    }

    private static String sum(Checksum checksum) {
        checksum.update("123456789".getBytes(UTF_8));
        return Long.toHexString(checksum.getValue());
    }

    private static Object zip(Scratch scratch) throws Exception {
        Path file = scratch.path("a.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.setMethod(ZipOutputStream.DEFLATED);
            zip.putNextEntry(new ZipEntry("a.txt"));
            zip.write("hello".getBytes(UTF_8));
            zip.putNextEntry(new ZipEntry("b/"));
            zip.putNextEntry(new ZipEntry("b/c.txt"));
            zip.write(MUCH);
        }
        try (ZipFile zip = new ZipFile(file.toFile())) {
            return zip.stream().map(entry -> describe(zip, entry)).toList();
        }
    }

    private static String describe(ZipFile zip, ZipEntry entry) {
        if (entry.isDirectory()) {
            return entry.getName();
        }
        try {
            byte[] content = zip.getInputStream(entry).readAllBytes();
            return entry.getName() + " " + (content.length < 10 ? new String(content, UTF_8) : content.length);
        } catch (java.io.IOException e) {
            return entry.getName() + " " + e;
        }
    }

    private static String jar(Scratch scratch) throws Exception {
        Path file = scratch.path("a.jar");
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().put(Attributes.Name.MAIN_CLASS, "tacho.checks.Main");
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file), manifest)) {
            jar.putNextEntry(new JarEntry("x"));
        }
        try (JarFile jar = new JarFile(file.toFile())) {
            return jar.getManifest().getMainAttributes().getValue("Main-Class") + " " + (jar.getJarEntry("x") != null);
        }
    }

    private static String zipFileSystem(Scratch scratch) throws Exception {
        Path file = scratch.path("fs.zip");
        try (FileSystem inside = FileSystems.newFileSystem(file, Map.of("create", "true"))) {
            Files.createDirectory(inside.getPath("/inside"));
            Files.writeString(inside.getPath("/inside/x"), "x!");
        }
        try (FileSystem inside = FileSystems.newFileSystem(file);
                var all = Files.walk(inside.getPath("/inside"))) {
            return all.map(path -> path.toString().replaceAll("/$", ""))
                            .sorted()
                            .toList() + " " + Files.readString(inside.getPath("/inside/x"));
        }
    }
}
