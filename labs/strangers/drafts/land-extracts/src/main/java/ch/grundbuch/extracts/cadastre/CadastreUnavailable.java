package ch.grundbuch.extracts.cadastre;

public class CadastreUnavailable extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public CadastreUnavailable(String message, Throwable cause) {
        super(message, cause);
    }
}
