package ie.greenbasket.pricing;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotNull;

import ie.greenbasket.assortment.Assortment;
import ie.greenbasket.basket.Basket;

public record PricingRequest(
        @NotNull @Valid Basket basket,
        @NotBlank String store,
        @NotNull(message = "is not known for the store") @Valid Assortment assortment) {
}
