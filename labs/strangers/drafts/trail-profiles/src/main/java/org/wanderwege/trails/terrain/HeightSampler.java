package org.wanderwege.trails.terrain;

/** Interpolates heights between the cells of a model. */
public final class HeightSampler {

    private final float[] heights;
    private final int columns;
    private final int rows;
    private final double cell;

    public HeightSampler(ElevationModel model) {
        this.heights = model.heights();
        this.columns = model.columns();
        this.rows = model.rows();
        this.cell = model.cellMetres();
    }

    public double heightAt(double east, double south) {
        double x = clamp(east / cell, columns - 1.001);
        double y = clamp(south / cell, rows - 1.001);
        int column = (int) x;
        int row = (int) y;
        double fx = x - column;
        double fy = y - row;
        int at = row * columns + column;
        double top = heights[at] + (heights[at + 1] - heights[at]) * fx;
        double bottom = heights[at + columns] + (heights[at + columns + 1] - heights[at + columns]) * fx;
        return top + (bottom - top) * fy;
    }

    private static double clamp(double value, double max) {
        return Math.max(0, Math.min(max, value));
    }
}
