import assert from "node:assert/strict";
import { test } from "node:test";
import type { Graph } from "../src/charts/flame";
import { framesFound, heat, label, layOut, neighbour, search, tree, zoomedFor } from "../src/charts/flame";

/** all > run > (get > find, put), gone; `get` calls itself. */
const GRAPH: Graph = {
  title: "Processor time",
  unit: "ms",
  names: [
    ["all", "platform"],
    ["java.lang.Thread.run", "platform"],
    ["shop.Web.get", "own"],
    ["org.lib.Cache.find", "library"],
    ["shop.Web.put", "own"],
    ["shop.Gone.work", "own"],
  ],
  frames: [
    [0, 0, 4, 8],
    [1, 1, 2, 8],
    [2, 2, 1, 6],
    [3, 2, 0.5, 4],
    [4, 3, 0.5, 4],
    [2, 4, 1, 2],
    [1, 5, 2, 0],
  ],
};

test("a key that leaves what is zoomed into zooms where it leads", () => {
  const frames = tree(GRAPH);
  const [run, get, again, put] = [frames[1]!, frames[2]!, frames[3]!, frames[5]!];
  assert.equal(neighbour(get, "ArrowRight", "candidate"), put);
  assert.equal(zoomedFor(put, get), put);
  assert.equal(zoomedFor(run, get), run);
  assert.equal(zoomedFor(again, get), get);
  assert.equal(zoomedFor(get, get), get);
});

test("one frame that was found is one", () => {
  assert.deepEqual([0, 1, 12].map(framesFound), ["0 frames", "1 frame", "12 frames"]);
});

test("frames know who calls them", () => {
  const frames = tree(GRAPH);
  assert.deepEqual(
    frames.map((frame) => frame.caller?.index ?? -1),
    [-1, 0, 1, 2, 3, 1, 0],
  );
  assert.deepEqual(
    frames[1]?.callees.map((frame) => frame.name),
    ["shop.Web.get", "shop.Web.put"],
  );
});

test("a frame is as wide as its cost, beside its peers, within its caller", () => {
  const frames = tree(GRAPH);
  const boxes = (view: "candidate" | "baseline", zoomed = 0) =>
    layOut(frames[zoomed]!, view, 800)
      .map(({ frame, x, width, row }) => [frame.index, x, width, row])
      .sort((a, b) => a[0]! - b[0]!);
  assert.deepEqual(boxes("candidate"), [
    [0, 0, 800, 0],
    [1, 0, 800, 1],
    [2, 0, 600, 2],
    [3, 0, 400, 3],
    [4, 0, 400, 4],
    [5, 600, 200, 2],
  ]);
  assert.deepEqual(boxes("baseline").at(-1), [6, 400, 400, 1]);
  // Callers stay above what is zoomed into.
  assert.deepEqual(boxes("candidate", 5), [
    [0, 0, 800, 0],
    [1, 0, 800, 1],
    [5, 0, 800, 2],
  ]);
  // Nothing to draw below a frame that costs nothing in this build.
  assert.deepEqual(boxes("candidate", 6), [[0, 0, 800, 0]]);
});

test("what cannot be seen is not drawn", () => {
  assert.equal(layOut(tree(GRAPH)[0]!, "candidate", 3).length, 3);
});

test("a search counts what calls itself once", () => {
  const frames = tree(GRAPH);
  const { found, baseline, candidate } = search(frames, " WEB.get ");
  assert.deepEqual([...found].map((frame) => frame.index), [2, 3]);
  assert.deepEqual([baseline, candidate], [1, 6]);
  const own = search(frames, "shop.");
  assert.deepEqual([own.found.size, own.baseline, own.candidate], [4, 4, 8]);
  assert.equal(search(frames, "").found.size, 0);
});

test("what changed most is hottest, and less is below zero", () => {
  const frames = tree(GRAPH);
  assert.equal(heat(frames[1]!, 6), 1);
  assert.equal(heat(frames[4]!, 14), 0.5);
  assert.ok(heat(frames[6]!, 6) < 0);
  assert.equal(heat(frames[0]!, 0), 0);
});

test("a name is shortened from its package", () => {
  assert.equal(label("org.lib.Cache.find", 200), "org.lib.Cache.find");
  assert.equal(label("org.lib.Cache.find", 90), "Cache.find");
  assert.equal(label("org.lib.Cache.find", 50), "Cache…");
  assert.equal(label("org.lib.Cache.find", 20), "");
  assert.equal(label("(lock: org.lib.Cache)", 80), "(lock: org…");
  assert.equal(label("libjvm.so.Arena::contains", 140), "Arena::contains");
  assert.equal(label("libc.so.6.write", 60), "write");
});

test("arrow keys walk over what is to be seen", () => {
  const frames = tree(GRAPH);
  const to = (from: number, key: string, view: "candidate" | "baseline" = "candidate") =>
    neighbour(frames[from]!, key, view)?.index;
  assert.equal(to(0, "ArrowDown"), 1);
  assert.equal(to(2, "ArrowRight"), 5);
  assert.equal(to(5, "ArrowLeft"), 2);
  assert.equal(to(5, "ArrowUp"), 1);
  assert.equal(to(1, "ArrowRight"), undefined);
  assert.equal(to(1, "ArrowRight", "baseline"), 6);
  assert.equal(to(0, "ArrowUp"), undefined);
  assert.equal(to(1, "x"), undefined);
});
