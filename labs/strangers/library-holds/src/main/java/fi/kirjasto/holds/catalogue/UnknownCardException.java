package fi.kirjasto.holds.catalogue;

public class UnknownCardException extends RuntimeException {

    public UnknownCardException(String card) {
        super("unknown card: " + card);
    }
}
