package ie.greenbasket.basket;

import jakarta.validation.constraints.Max;
import jakarta.validation.constraints.NotNull;
import jakarta.validation.constraints.Positive;

import ie.greenbasket.checks.Ean;

public record BasketLine(@NotNull @Ean String ean, @Positive @Max(99) int quantity) {
}
