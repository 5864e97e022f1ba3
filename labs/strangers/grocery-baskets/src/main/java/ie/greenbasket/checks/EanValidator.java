package ie.greenbasket.checks;

import jakarta.validation.ConstraintValidator;
import jakarta.validation.ConstraintValidatorContext;

public class EanValidator implements ConstraintValidator<Ean, String> {

    @Override
    public boolean isValid(String value, ConstraintValidatorContext context) {
        if (value == null) {
            return true;
        }
        if (value.length() != 13) {
            return false;
        }
        int sum = 0;
        for (int i = 0; i < 12; i++) {
            int digit = value.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return false;
            }
            sum += i % 2 == 0 ? digit : digit * 3;
        }
        return (10 - sum % 10) % 10 == value.charAt(12) - '0';
    }
}
