package org.wanderwege.trails.terrain;

/** Replaces single cells that stick out of their surroundings, as birds and cranes do in laser scans. */
public final class SpikeFilter {

    private final float tolerance;

    public SpikeFilter(float tolerance) {
        this.tolerance = tolerance;
    }

    public ElevationModel apply(ElevationModel model) {
        int columns = model.columns();
        int rows = model.rows();
        float[] source = model.heights();
        float[] filtered = source.clone();
        for (int row = 1; row < rows - 1; row++) {
            for (int column = 1; column < columns - 1; column++) {
                int at = row * columns + column;
                float around = (source[at - 1] + source[at + 1] + source[at - columns] + source[at + columns]) / 4;
                if (Math.abs(source[at] - around) > tolerance) {
                    filtered[at] = around;
                }
            }
        }
        return new ElevationModel(columns, rows, model.cellMetres(), filtered);
    }
}
