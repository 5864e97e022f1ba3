package ie.greenbasket.checks;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

import jakarta.validation.Constraint;
import jakarta.validation.Payload;

/** An EAN-13 article number with a right check digit. */
@Documented
@Constraint(validatedBy = EanValidator.class)
@Target({ElementType.FIELD, ElementType.PARAMETER, ElementType.TYPE_USE})
@Retention(RetentionPolicy.RUNTIME)
public @interface Ean {

    String message() default "is not a valid EAN-13";

    Class<?>[] groups() default {};

    Class<? extends Payload>[] payload() default {};
}
