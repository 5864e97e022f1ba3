package tacho.nativekit.driver.options;

import java.util.List;
import java.util.Optional;

/** Public options in the builder's form: {@code -H:Name@origin=value}, {@code -H:+Name@origin}. */
public final class Translation {

    private final OptionCatalogue catalogue;

    public Translation(OptionCatalogue catalogue) {
        this.catalogue = catalogue;
    }

    /**
     * What the builder is given, and how many arguments it took.
     *
     * @param warning what to tell the person, or empty
     */
    public record Translated(String builderArgument, int consumed, String warning) {
    }

    /**
     * The translation of the argument at an index.
     *
     * @return nothing when no public option is spelt like that
     * @throws IllegalArgumentException when a value lacks or is one too many
     */
    public Optional<Translated> translate(List<String> arguments, int index, Origin origin) {
        String argument = arguments.get(index);
        for (PublicOption option : catalogue.publicOptions()) {
            for (String spelling : option.spellings()) {
                Optional<Given> given = match(option, spelling, arguments, index);
                if (given.isPresent()) {
                    return Optional.of(translated(option, given.get(), argument, origin));
                }
            }
        }
        return Optional.empty();
    }

    /** A value as it was given, if one was, and the number of arguments that are used up. */
    private record Given(Optional<String> value, int consumed) {
    }

    private static Optional<Given> match(PublicOption option, String spelling, List<String> arguments, int index) {
        String argument = arguments.get(index);
        if (!argument.startsWith(spelling)) {
            return Optional.empty();
        }
        String rest = argument.substring(spelling.length());
        if (rest.isEmpty()) {
            boolean takesNext = option.takesValue() && option.mayTakeNextArgument() && index + 1 < arguments.size();
            return Optional.of(takesNext ? new Given(Optional.of(arguments.get(index + 1)), 2)
                    : new Given(Optional.empty(), 1));
        }
        if (option.separators().indexOf(rest.charAt(0)) >= 0) {
            return Optional.of(new Given(Optional.of(rest.substring(1)), 1));
        }
        if (option.separators().indexOf(PublicOption.NONE) >= 0) {
            return Optional.of(new Given(Optional.of(rest), 1));
        }
        return Optional.empty();
    }

    private static Translated translated(PublicOption option, Given given, String argument, Origin origin) {
        if (!option.takesValue() && given.value().isPresent()) {
            throw new IllegalArgumentException(argument + ": " + option.spellings().getFirst() + " takes no value.");
        }
        String warning = option.deprecation().isEmpty() ? "" : argument + " is deprecated. " + option.deprecation();
        return new Translated(builderArgument(option, given.value(), argument, origin), given.consumed(), warning);
    }

    private static String builderArgument(PublicOption option, Optional<String> given, String argument, Origin origin) {
        String name = option.builderName() + "@" + origin.ofPublicOption();
        if (option.isSwitch()) {
            return "-H:" + (option.turnsOff() ? "-" : "+") + name;
        }
        String value = option.fixedValue().or(() -> given).or(option::defaultValue).orElseThrow(
                () -> new IllegalArgumentException(argument + " wants a value: "
                        + option.spellings().getFirst() + "=" + "VALUE."));
        return "-H:" + name + "=" + ValueTransformers.transform(option.transformer(), value);
    }
}
