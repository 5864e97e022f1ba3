package ch.helvamed.stock.pharmacy;

public record Town(String name, int east, int north) {
}
