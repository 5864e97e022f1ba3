package org.wanderwege.trails.terrain;

import java.util.Objects;

/**
 * Heights above sea level of a rectangle of land, row by row from the north-west.
 *
 * <p>Instances are immutable and may be shared between threads.
 */
public final class ElevationModel {

    private final int columns;
    private final int rows;
    private final float cellMetres;
    private final float[] heights;

    public ElevationModel(int columns, int rows, float cellMetres, float[] heights) {
        Objects.requireNonNull(heights, "heights");
        if (heights.length != columns * rows) {
            throw new IllegalArgumentException("expected " + columns * rows + " heights, got " + heights.length);
        }
        if (cellMetres <= 0) {
            throw new IllegalArgumentException("cells must have a size");
        }
        this.columns = columns;
        this.rows = rows;
        this.cellMetres = cellMetres;
        this.heights = heights.clone();
    }

    public int columns() {
        return columns;
    }

    public int rows() {
        return rows;
    }

    public float cellMetres() {
        return cellMetres;
    }

    /** The heights; changes to the array do not reach the model. */
    public float[] heights() {
        return heights.clone();
    }

    public double widthMetres() {
        return (columns - 1) * (double) cellMetres;
    }

    public double heightMetres() {
        return (rows - 1) * (double) cellMetres;
    }
}
