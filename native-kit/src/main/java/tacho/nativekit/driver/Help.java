package tacho.nativekit.driver;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import tacho.nativekit.driver.options.BuilderOption;
import tacho.nativekit.driver.options.OptionCatalogue;
import tacho.nativekit.driver.options.PublicOption;
import tacho.nativekit.driver.request.LauncherOptions;

/** The texts of --help and its like. */
final class Help {

    private static final int COLUMN = 34;
    private static final int WIDTH = 120;

    private Help() {
    }

    static String of(OptionCatalogue catalogue, boolean isExtra) {
        List<String> lines = new ArrayList<>();
        if (!isExtra) {
            lines.add("native-image [OPTIONS] CLASS [IMAGE]         builds an executable from a class of the class path");
            lines.add("native-image [OPTIONS] -jar FILE [IMAGE]     from a jar's main class");
            lines.add("native-image [OPTIONS] -m MODULE[/CLASS]     from a module");
            lines.add("native-image [OPTIONS] --shared -o NAME      a shared library");
            lines.add("");
            lines.add("Arguments may stand in files, @FILE, and in the variable NATIVE_IMAGE_OPTIONS.");
            lines.add("Exit codes: 0 built, 1 the build failed, 3 the builder ran out of memory, 20 wrong usage.");
        }
        lines.add("");
        LauncherOptions.ALL.stream().filter(option -> option.isExtra() == isExtra).forEach(option -> {
            String joined = option.value().isEmpty() || option.value().startsWith("[") || option.spellings().getFirst().length() == 2
                    && "DJE".contains(option.spellings().getFirst().substring(1)) ? "" : " ";
            lines.addAll(entry(String.join(", ", option.spellings()) + joined + option.value(), option.help()));
        });
        lines.add("");
        catalogue.publicOptions().stream().filter(option -> option.isExtra() == isExtra)
                .sorted(Comparator.comparing(option -> option.spellings().getFirst()))
                .forEach(option -> lines.addAll(entry(usage(option), help(option))));
        return String.join("\n", lines);
    }

    static String ofBuilderOptions(OptionCatalogue catalogue, boolean isAll) {
        List<String> lines = new ArrayList<>();
        catalogue.builderOptions().stream().filter(option -> isAll || !option.help().isEmpty())
                .sorted(Comparator.comparing(BuilderOption::name))
                .forEach(option -> lines.addAll(entry(option.spelling(), option.help())));
        return String.join("\n", lines);
    }

    private static String usage(PublicOption option) {
        String names = String.join(", ", option.spellings());
        if (!option.takesValue()) {
            return names;
        }
        char separator = option.separators().charAt(option.separators().length() - 1);
        String value = (separator == PublicOption.NONE ? "" : String.valueOf(separator)) + "VALUE";
        return names + (option.defaultValue().isPresent() ? "[" + value + "]" : value);
    }

    private static String help(PublicOption option) {
        return option.deprecation().isEmpty() ? option.help() : "Deprecated. " + option.deprecation();
    }

    private static List<String> entry(String left, String right) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder("  " + left);
        if (line.length() >= COLUMN) {
            lines.add(line.toString());
            line.setLength(0);
        }
        for (String word : right.split(" ")) {
            if (line.length() + word.length() + 1 > WIDTH) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(" ".repeat(Math.max(1, COLUMN - line.length()))).append(word);
        }
        lines.add(line.toString().stripTrailing());
        return lines;
    }
}
