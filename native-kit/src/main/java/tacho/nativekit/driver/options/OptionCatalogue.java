package tacho.nativekit.driver.options;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * All options that the builder knows, read from the file that the installer made of the builder's
 * own declarations: one option a line, fields between tabs, optional values with a leading '='.
 */
public record OptionCatalogue(List<PublicOption> publicOptions, List<BuilderOption> builderOptions) {

    private static final String PUBLIC = "public";
    private static final String BUILDER = "builder";

    public static OptionCatalogue read(Path file) throws IOException {
        List<PublicOption> publicOptions = new ArrayList<>();
        List<BuilderOption> builderOptions = new ArrayList<>();
        for (String line : Files.readAllLines(file)) {
            String[] fields = line.split("\t", -1);
            switch (fields[0]) {
                case PUBLIC -> publicOptions.add(publicOption(fields));
                case BUILDER -> builderOptions.add(
                        new BuilderOption(fields[1], fields[2], Boolean.parseBoolean(fields[3]), fields[4]));
                default -> throw new IOException(file + " is not a list of options: " + line);
            }
        }
        return new OptionCatalogue(List.copyOf(publicOptions), List.copyOf(builderOptions));
    }

    public void write(Path file) throws IOException {
        Files.write(file, Stream.concat(publicOptions.stream().map(OptionCatalogue::line),
                builderOptions.stream().map(OptionCatalogue::line)).toList());
    }

    /** The options of a name, with or without a group's name and '=' before it. */
    public Optional<PublicOption> spelt(String spelling) {
        return publicOptions.stream().filter(option -> option.spellings().contains(spelling)).findFirst();
    }

    public Optional<BuilderOption> builderOption(String name) {
        return builderOptions.stream().filter(option -> option.name().equals(name)).findFirst();
    }

    private static PublicOption publicOption(String[] fields) {
        return new PublicOption(List.of(fields[1].split(" ")), fields[2], Boolean.parseBoolean(fields[3]),
                Boolean.parseBoolean(fields[4]), fields[5].replace('0', PublicOption.NONE), optional(fields[6]),
                optional(fields[7]), fields[8], fields[9], fields[10], Boolean.parseBoolean(fields[11]), fields[12]);
    }

    private static String line(PublicOption option) {
        return String.join("\t", PUBLIC, String.join(" ", option.spellings()), option.builderName(),
                Boolean.toString(option.isSwitch()), Boolean.toString(option.turnsOff()),
                option.separators().replace(PublicOption.NONE, '0'), field(option.defaultValue()),
                field(option.fixedValue()), option.transformer(), text(option.deprecation()), option.group(),
                Boolean.toString(option.isExtra()), text(option.help()));
    }

    private static String line(BuilderOption option) {
        return String.join("\t", BUILDER, option.name(), option.type(), Boolean.toString(option.isRuntime()),
                text(option.help()));
    }

    private static Optional<String> optional(String field) {
        return field.isEmpty() ? Optional.empty() : Optional.of(field.substring(1));
    }

    private static String field(Optional<String> value) {
        return value.map(present -> "=" + present).orElse("");
    }

    private static String text(String prose) {
        return prose.replaceAll("\\s+", " ").strip();
    }
}
