package org.wanderwege.trails.terrain;

/** Steepness of the hillside (not of the trail) after Horn. */
public final class SlopeAspect {

    private final ElevationModel model;
    private final float[] heights;

    public SlopeAspect(ElevationModel model) {
        this.model = model;
        this.heights = model.heights();
    }

    public double degreesAt(double east, double south) {
        int column = cellOf(east, model.columns());
        int row = cellOf(south, model.rows());
        int columns = model.columns();
        int n = (row - 1) * columns + column;
        int c = row * columns + column;
        int s = (row + 1) * columns + column;
        double dx = (heights[n + 1] + 2 * heights[c + 1] + heights[s + 1])
                - (heights[n - 1] + 2 * heights[c - 1] + heights[s - 1]);
        double dy = (heights[s - 1] + 2 * heights[s] + heights[s + 1])
                - (heights[n - 1] + 2 * heights[n] + heights[n + 1]);
        double scale = 8 * model.cellMetres();
        return Math.toDegrees(Math.atan(Math.hypot(dx / scale, dy / scale)));
    }

    private int cellOf(double metres, int count) {
        return Math.max(1, Math.min(count - 2, (int) Math.round(metres / model.cellMetres())));
    }
}
