package org.wanderwege.trails.terrain;

/** Heights above sea level of a rectangle of land, row by row from the north-west. */
public final class ElevationModel {

    private final int columns;
    private final int rows;
    private final float cellMetres;
    private final float[] heights;

    public ElevationModel(int columns, int rows, float cellMetres, float[] heights) {
        if (heights.length != columns * rows) {
            throw new IllegalArgumentException("expected " + columns * rows + " heights, got " + heights.length);
        }
        this.columns = columns;
        this.rows = rows;
        this.cellMetres = cellMetres;
        this.heights = heights;
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

    public float[] heights() {
        return heights;
    }

    public double widthMetres() {
        return (columns - 1) * (double) cellMetres;
    }

    public double heightMetres() {
        return (rows - 1) * (double) cellMetres;
    }
}
