package fr.cantine.labels.web;

import fr.cantine.labels.food.FoodTableException;
import fr.cantine.labels.label.Label;
import fr.cantine.labels.label.LabelService;
import fr.cantine.labels.recipe.Recipe;
import fr.cantine.labels.recipe.RecipeBook;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;
import reactor.core.publisher.Mono;

@RestController
public class LabelController {

    private static final Logger LOG = LoggerFactory.getLogger(LabelController.class);

    private final RecipeBook recipes;
    private final LabelService labels;

    public LabelController(RecipeBook recipes, LabelService labels) {
        this.recipes = recipes;
        this.labels = labels;
    }

    @GetMapping("/recipes")
    public List<String> recipes() {
        return recipes.ids();
    }

    @GetMapping("/recipes/{id}/label")
    public Mono<Label> label(@PathVariable("id") String id,
            @RequestParam(name = "portions", required = false) Integer portions) {
        Recipe recipe = recipes.find(id)
                .orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "no such recipe"));
        int wanted = portions == null ? recipe.portions() : portions;
        if (wanted < 1) {
            throw new ResponseStatusException(HttpStatus.BAD_REQUEST, "portions must be positive");
        }
        return labels.label(recipe, wanted);
    }

    @ExceptionHandler(FoodTableException.class)
    public ProblemDetail foodTableFailed(FoodTableException e) {
        LOG.warn("Label not composed: {}", e.getMessage());
        return ProblemDetail.forStatusAndDetail(HttpStatus.BAD_GATEWAY, e.getMessage());
    }
}
