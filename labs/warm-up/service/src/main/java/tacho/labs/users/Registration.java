package tacho.labs.users;

import com.fasterxml.jackson.annotation.JsonProperty;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Size;

/**
 * What somebody sends who wants to be a user.
 *
 * @param dummy whether all is done as for a real user except for what would last
 */
@RealBirthday
record Registration(
        @NotNull @Pattern(regexp = NAME, message = NAME_IS) @Size(max = 100) String firstName,
        @NotNull @Pattern(regexp = NAME, message = NAME_IS) @Size(max = 100) String lastName,
        @NotNull Integer birthYear,
        @NotNull Integer birthMonth,
        @NotNull Integer birthDate,
        @JsonProperty("isDummy") Boolean dummy) {

    /** A line break in a name would be a line of the log that nobody wrote. */
    private static final String NAME = "\\P{Cntrl}*[^\\p{Cntrl}\\s]\\P{Cntrl}*";
    private static final String NAME_IS = "must hold more than spaces, and no control characters";

    /** Who does not say is none. */
    boolean isDummy() {
        return Boolean.TRUE.equals(dummy);
    }

    boolean hasBirthday() {
        return birthYear != null && birthMonth != null && birthDate != null;
    }
}
