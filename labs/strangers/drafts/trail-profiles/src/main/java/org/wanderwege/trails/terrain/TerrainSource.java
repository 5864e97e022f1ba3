package org.wanderwege.trails.terrain;

import java.util.Random;

/** Loads the terrain; this edition synthesises the massif from layered value noise. */
public final class TerrainSource {

    private static final int COLUMNS = 560;
    private static final int ROWS = 480;
    private static final float CELL_METRES = 25f;
    private static final int LATTICE = 64;

    private final float[] lattice = new float[LATTICE * LATTICE];
    private final long seed;

    public TerrainSource(long seed) {
        this.seed = seed;
    }

    public ElevationModel load() {
        Random random = new Random(seed);
        for (int i = 0; i < lattice.length; i++) {
            lattice[i] = random.nextFloat();
        }
        float[] heights = new float[COLUMNS * ROWS];
        for (int row = 0; row < ROWS; row++) {
            for (int column = 0; column < COLUMNS; column++) {
                heights[row * COLUMNS + column] = height(column, row);
            }
        }
        for (int i = 0; i < 40; i++) {
            heights[random.nextInt(heights.length)] += 400f;
        }
        return new ElevationModel(COLUMNS, ROWS, CELL_METRES, heights);
    }

    private float height(int column, int row) {
        float sum = 620f;
        float amplitude = 1500f;
        float frequency = 1f / 160f;
        for (int octave = 0; octave < 6; octave++) {
            sum += amplitude * noise(column * frequency + octave * 7.3f, row * frequency + octave * 3.1f);
            amplitude *= 0.45f;
            frequency *= 2.1f;
        }
        return sum;
    }

    private float noise(float x, float y) {
        int x0 = (int) x;
        int y0 = (int) y;
        float fx = smooth(x - x0);
        float fy = smooth(y - y0);
        float top = mix(at(x0, y0), at(x0 + 1, y0), fx);
        float bottom = mix(at(x0, y0 + 1), at(x0 + 1, y0 + 1), fx);
        return mix(top, bottom, fy);
    }

    private float at(int x, int y) {
        return lattice[Math.floorMod(y, LATTICE) * LATTICE + Math.floorMod(x, LATTICE)];
    }

    private static float mix(float a, float b, float t) {
        return a + (b - a) * t;
    }

    private static float smooth(float t) {
        return t * t * (3 - 2 * t);
    }
}
