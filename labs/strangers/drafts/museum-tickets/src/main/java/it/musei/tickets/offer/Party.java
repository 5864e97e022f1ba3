package it.musei.tickets.offer;

/** Who wants to go. */
public record Party(int adults, int children) {

    public Party {
        if (adults < 0 || children < 0 || adults + children == 0 || adults + children > 40) {
            throw new IllegalArgumentException("a party has 1 to 40 persons");
        }
    }

    public int persons() {
        return adults + children;
    }
}
