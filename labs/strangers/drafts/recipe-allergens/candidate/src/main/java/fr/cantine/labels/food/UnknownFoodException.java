package fr.cantine.labels.food;

public class UnknownFoodException extends FoodTableException {

    private static final long serialVersionUID = 1L;

    private final String code;

    public UnknownFoodException(String code) {
        super("no food " + code);
        this.code = code;
    }

    public String code() {
        return code;
    }
}
