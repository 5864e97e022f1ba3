package tacho.labs.users;

import jakarta.validation.Constraint;
import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;
import jakarta.validation.Payload;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.DateTimeException;
import java.time.LocalDate;

/** Year, month and date are a day of the calendar, on which somebody may have been born. */
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@Constraint(validatedBy = RealBirthday.Check.class)
@interface RealBirthday {

    String message() default "no such day";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};

    /** Says what is wrong at the date, or at the part that is. */
    class Check implements ConstraintValidator<RealBirthday, Registration> {

        private static final int EARLIEST = 1900;

        @Override
        public boolean isValid(Registration registration, ConstraintValidatorContext context) {
            if (!registration.hasBirthday()) {
                return true; // @NotNull says so
            }
            if (registration.birthYear() < EARLIEST) {
                return complain(context, "birthYear", "must be " + EARLIEST + " or later");
            }
            if (registration.birthMonth() < 1 || registration.birthMonth() > 12) {
                return complain(context, "birthMonth", "must be between 1 and 12");
            }
            try {
                LocalDate birthday = User.birthday(registration);
                return !birthday.isAfter(LocalDate.now()) || complain(context, "birthYear", birthday + " is still to come");
            } catch (DateTimeException nonexistent) {
                return complain(context, "birthDate", "no such day: " + nonexistent.getMessage());
            }
        }

        private static boolean complain(ConstraintValidatorContext context, String field, String message) {
            context.disableDefaultConstraintViolation();
            // What comes from outside is no template: only numbers stand in these messages.
            context.buildConstraintViolationWithTemplate(message).addPropertyNode(field).addConstraintViolation();
            return false;
        }
    }
}
