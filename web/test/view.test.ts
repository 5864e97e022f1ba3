// What is drawn of a log: brought down to columns of pixels, and nothing of its extremes lost.
import assert from "node:assert/strict";
import test from "node:test";
import type { HeapPoint, PausePoint } from "../src/gc/data";
import { beside, heapIn, lineIn, moved, pausesIn, stepsBelow, zoomed } from "../src/gc/view";

const WHOLE = { from: 0, to: 1000, maximum: false };

test("ten thousand collections are as many points as there are columns, with their extremes", () => {
  const points: HeapPoint[] = Array.from({ length: 10_000 }, (_, i) => [
    i / 10,
    i === 7_777 ? 999 : 100 + (i % 7),
    i === 3_333 ? 1 : 10,
    i === 3_333 ? 1 : 10,
    200,
  ]);
  const drawn = heapIn(points, WHOLE, 500);
  assert.ok(drawn.length <= 500);
  assert.equal(Math.max(...drawn.map((p) => p[1])), 999);
  assert.equal(Math.min(...drawn.map((p) => p[2])), 1);
  const close = heapIn(points, { from: 777, to: 778, maximum: false }, 500);
  assert.equal(close.length, 11);
});

test("a view between two collections has the nearest of both sides", () => {
  const points: HeapPoint[] = [100, 200, 300, 400].map((t) => [t, 90, 10, 10, null]);
  const between = { from: 210, to: 290, maximum: false };
  assert.deepEqual(heapIn(points, between, 500), []);
  const { before, after } = beside(points, between);
  assert.deepEqual([before, after], [[points[1]], [points[2]]]);
  assert.deepEqual(beside(points, WHOLE), { before: [], after: [] });
});

test("a line in steps ends where it leaves the chart", () => {
  const points = [5, 900, 800, 6, 7].map((value, t) => ({ t, value }));
  assert.deepEqual(stepsBelow(points, 10), [
    { t: 0, value: 5 },
    { t: 1, value: 5 },
    { t: 1, value: NaN },
    { t: 2, value: NaN },
    { t: 3, value: 6 },
    { t: 4, value: 7 },
  ]);
});

test("of the pauses of a column the longest stands, with how many there were", () => {
  const points: PausePoint[] = [
    [1, 5, 1, 0],
    [1.1, 9, 1, 1],
    [900, 2, 1, 0],
  ];
  assert.deepEqual(pausesIn(points, WHOLE, 100), [
    [1.1, 9, 2, 1],
    [900, 2, 1, 0],
  ]);
});

test("a view stays within its log", () => {
  const half = zoomed(WHOLE, 0.5, 500, 1000);
  assert.deepEqual([half.from, half.to], [250, 750]);
  const later = moved(half, 5, 1000);
  assert.deepEqual([later.from, later.to], [500, 1000]);
  const out = zoomed(later, 8, 900, 1000);
  assert.deepEqual([out.from, out.to], [0, 1000]);
});

test("of a trend the part in view is drawn, on the same line", () => {
  const within = { from: 200, to: 600, maximum: false };
  assert.deepEqual(
    lineIn(
      [
        [100, 10],
        [500, 50],
      ],
      within,
    ),
    [
      [200, 20],
      [500, 50],
    ],
  );
  assert.equal(
    lineIn(
      [
        [0, 1],
        [100, 2],
      ],
      within,
    ),
    null,
  );
});
