package org.wanderwege.trails.terrain;

/** How high the horizon stands above a point, in the eight directions of the compass. */
public final class Horizon {

    private static final int[][] DIRECTIONS = {
        {0, -1}, {1, -1}, {1, 0}, {1, 1}, {0, 1}, {-1, 1}, {-1, 0}, {-1, -1}};
    private static final int REACH_CELLS = 60;

    private final ElevationModel model;
    private final float[] heights;

    public Horizon(ElevationModel model) {
        this.model = model;
        this.heights = model.heights();
    }

    /** Share of the sky, in percent, that is not hidden by the terrain around. */
    public double openSky(double east, double south) {
        int column = (int) Math.min(model.columns() - 1, Math.max(0, east / model.cellMetres()));
        int row = (int) Math.min(model.rows() - 1, Math.max(0, south / model.cellMetres()));
        double sum = 0;
        for (int[] direction : DIRECTIONS) {
            sum += 90 - elevationAngle(column, row, direction[0], direction[1]);
        }
        return sum / (DIRECTIONS.length * 90) * 100;
    }

    private double elevationAngle(int column, int row, int stepColumn, int stepRow) {
        float here = heights[row * model.columns() + column];
        double step = model.cellMetres() * Math.hypot(stepColumn, stepRow);
        double steepest = 0;
        for (int i = 1; i <= REACH_CELLS; i++) {
            int c = column + i * stepColumn;
            int r = row + i * stepRow;
            if (c < 0 || r < 0 || c >= model.columns() || r >= model.rows()) {
                break;
            }
            steepest = Math.max(steepest, (heights[r * model.columns() + c] - here) / (i * step));
        }
        return Math.toDegrees(Math.atan(steepest));
    }
}
