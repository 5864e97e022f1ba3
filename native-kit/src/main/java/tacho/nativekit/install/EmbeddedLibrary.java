package tacho.nativekit.install;

import java.util.List;
import java.util.stream.Collectors;

/**
 * The assembly text of a library that travels inside executables: its bytes, what it needs, and a
 * trampoline for each function (c/embed/trampoline.inc).
 */
record EmbeddedLibrary(String name, String file, List<String> needs, List<String> functions) {

    String assembly() {
        String needed = needs.stream().map(other -> "NEEDS " + other + "\n").collect(Collectors.joining());
        String offered = functions.stream().map(function -> "FUNCTION " + function + "\n").collect(Collectors.joining());
        return ".include \"trampoline.inc\"\n"
                + "LIBRARY " + name + ", lib" + name + ".so, \"" + file + "\"\n"
                + needed
                + "FUNCTIONS_OF " + name + "\n"
                + offered
                + ".section .note.GNU-stack, \"\", @progbits\n";
    }
}
