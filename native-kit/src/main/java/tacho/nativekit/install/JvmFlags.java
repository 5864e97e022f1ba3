package tacho.nativekit.install;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ResolvedModule;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Opens the packages of the JDK's modules to those of the builder, which looks into all of them.
 * What the JDK has differs from update to update, so the list is made of the JDK at hand.
 */
final class JvmFlags {

    /** The builder's modules that reach into the JDK. */
    private static final String BUILDER_MODULES = String.join(",", "org.graalvm.nativeimage.builder", "org.graalvm.nativeimage.base",
            "org.graalvm.nativeimage.pointsto", "org.graalvm.nativeimage.objectfile", "org.graalvm.nativeimage.configure",
            "org.graalvm.nativeimage", "org.graalvm.truffle.compiler", "jdk.graal.compiler");

    /** The builder brings its own. */
    private static final String COMPILER = "jdk.graal.compiler";

    private JvmFlags() {
    }

    static List<String> ofThisJdk() {
        ModuleFinder system = ModuleFinder.ofSystem();
        return modulesByDefault(system).stream().filter(module -> !module.name().startsWith(COMPILER))
                .sorted((left, right) -> left.name().compareTo(right.name()))
                .flatMap(JvmFlags::opens).toList();
    }

    private static Stream<String> opens(ModuleDescriptor module) {
        return new TreeSet<>(module.packages()).stream()
                .map(name -> "--add-opens=" + module.name() + "/" + name + "=" + BUILDER_MODULES);
    }

    /**
     * What --add-modules=ALL-DEFAULT resolves: modules with an unqualified export and no warning
     * (JEP 261), and what they need.
     */
    private static Set<ModuleDescriptor> modulesByDefault(ModuleFinder system) {
        Set<String> roots = system.findAll().stream().map(reference -> reference.descriptor())
                .filter(module -> module.exports().stream().anyMatch(exported -> !exported.isQualified()))
                .filter(module -> !module.name().startsWith("jdk.incubator.")).map(ModuleDescriptor::name)
                .collect(Collectors.toSet());
        roots.add("jdk.internal.vm.ci");
        Configuration resolved = Configuration.empty().resolve(system, ModuleFinder.of(), roots);
        return resolved.modules().stream().map(ResolvedModule::reference).map(reference -> reference.descriptor())
                .collect(Collectors.toSet());
    }
}
