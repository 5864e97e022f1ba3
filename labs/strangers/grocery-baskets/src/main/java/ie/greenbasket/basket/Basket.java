package ie.greenbasket.basket;

import java.util.List;

import jakarta.validation.Valid;
import jakarta.validation.constraints.NotBlank;
import jakarta.validation.constraints.NotEmpty;
import jakarta.validation.constraints.Size;

public record Basket(@NotBlank String id, @NotEmpty @Size(max = 120) List<@Valid BasketLine> lines) {

    public Basket {
        lines = List.copyOf(lines);
    }
}
