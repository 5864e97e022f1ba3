package fi.kirjasto.holds.catalogue;

public enum MediaKind {
    BOOK(28), MAGAZINE(14), GAME(14), AUDIO(21);

    private final int loanDays;

    MediaKind(int loanDays) {
        this.loanDays = loanDays;
    }

    public int loanDays() {
        return loanDays;
    }
}
