package nl.laadnet.points.geo;

/** A square of the grid that positions are filed under, about 2 km wide. */
public record Cell(int row, int column) {

    private static final double ROWS_PER_DEGREE = 55;
    private static final double COLUMNS_PER_DEGREE = 34;
    private static final double METRES_PER_ROW = 111_195 / ROWS_PER_DEGREE;

    public static Cell of(Position position) {
        return new Cell((int) Math.floor(position.latitude() * ROWS_PER_DEGREE),
                (int) Math.floor(position.longitude() * COLUMNS_PER_DEGREE));
    }

    public static int reach(double metres) {
        return (int) Math.ceil(metres / METRES_PER_ROW) + 1;
    }
}
