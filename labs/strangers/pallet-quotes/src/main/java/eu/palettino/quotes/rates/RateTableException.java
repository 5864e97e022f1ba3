package eu.palettino.quotes.rates;

public class RateTableException extends RuntimeException {

    public RateTableException(String carrier, String problem) {
        super("rate table of " + carrier + " " + problem);
    }

    public RateTableException(String carrier, Throwable cause) {
        super("rate table of " + carrier + " cannot be read", cause);
    }
}
