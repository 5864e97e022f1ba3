import assert from "node:assert/strict";
import { test } from "node:test";
import type { Row } from "../src/diagnose/tree";
import { hasBelow, seen } from "../src/diagnose/tree";

const rows = (...depths: number[]): Row[] => depths.map((depth) => ({ depth, folded: false }));

test("what is below a folded row is not seen, and what comes after it is", () => {
  const tree = rows(0, 1, 2, 1, 0, 1);
  assert.deepEqual(seen(tree), [true, true, true, true, true, true]);
  tree[1]!.folded = true;
  assert.deepEqual(seen(tree), [true, true, false, true, true, true]);
  tree[0]!.folded = true;
  assert.deepEqual(seen(tree), [true, false, false, false, true, true]);
});

test("a row has a button where others are below it", () => {
  const tree = rows(0, 1, 2, 1, 0);
  assert.deepEqual(
    tree.map((_, i) => hasBelow(tree, i)),
    [true, true, false, false, false],
  );
});
