package fr.cantine.labels.food;

public class FoodTableException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public FoodTableException(String message) {
        super(message);
    }
}
