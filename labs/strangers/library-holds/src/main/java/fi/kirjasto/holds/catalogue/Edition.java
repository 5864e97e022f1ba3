package fi.kirjasto.holds.catalogue;

public record Edition(String isbn, String title, String author, MediaKind kind, int copies, int inTransit) {

    public int lendable() {
        return Math.max(copies - inTransit, 0);
    }
}
