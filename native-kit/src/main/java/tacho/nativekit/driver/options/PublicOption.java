package tacho.nativekit.driver.options;

import java.util.List;
import java.util.Optional;

/**
 * One documented option of native-image, as the builder's {@code @APIOption} annotations declare
 * it.
 *
 * @param spellings what people type, such as {@code --shared} or {@code -da} and
 *                     {@code -disableassertions}
 * @param builderName  the builder's name for it, which follows {@code -H:}
 * @param isSwitch     whether the builder takes + or - instead of a value
 * @param turnsOff     whether giving it means -
 * @param separators what may stand between the option and its value: '=', ':', ' ' for the next
 *                     argument, NONE for nothing
 * @param defaultValue the value when none is given
 * @param fixedValue   the value that giving it means, when it takes none
 * @param transformer  the simple name of the class that rewrites the value, or empty
 * @param deprecation  what to tell people who use it, or empty
 * @param group        the name before '=' when this is one of several choices, such as gc; or empty
 * @param isExtra      whether it is for --help-extra
 * @param help         what it does
 */
public record PublicOption(List<String> spellings, String builderName, boolean isSwitch, boolean turnsOff,
        String separators, Optional<String> defaultValue, Optional<String> fixedValue, String transformer,
        String deprecation, String group, boolean isExtra, String help) {

    /** The separator of options such as -O, whose value follows at once. */
    public static final char NONE = '\0';

    public boolean takesValue() {
        return !isSwitch && fixedValue.isEmpty();
    }

    public boolean mayTakeNextArgument() {
        return separators.indexOf(' ') >= 0;
    }
}
