package ie.greenbasket.assortment;

import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Pattern;
import jakarta.validation.constraints.Positive;
import jakarta.validation.constraints.PositiveOrZero;

import ie.greenbasket.checks.Ean;

public record Article(
        @NotNull @Ean String ean,
        @NotBlank String name,
        @NotNull @Pattern(regexp = "\\d+ (g|kg|l|pieces)") String unit,
        @Positive int cents,
        @NotNull VatClass vat,
        @PositiveOrZero int depositCents) {
}
