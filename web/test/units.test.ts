import assert from "node:assert/strict";
import { test } from "node:test";
import examples from "../../crates/base/figures/examples.json";
import {
  byteTicks,
  bytes,
  count,
  clockTick,
  clockTicks,
  decades,
  durationTicks,
  logTicks,
  milliseconds,
  millisecondsTick,
  quantile,
  rateTick,
  seconds,
} from "../src/units";

test("three digits and the shortest unit", () => {
  assert.equal(rateTick(12345), "12,345/s");
  assert.equal(seconds(90), "1.50 min");
  assert.equal(seconds(7200), "2 h");
  assert.equal(seconds(10 * 86400), "10 days");
});

test("tables and sentences, which are printed by Rust, say the same", () => {
  const printed = { milliseconds, bytes, requests: count };
  for (const [what, print] of Object.entries(printed)) {
    for (const [value, text] of examples[what as keyof typeof examples]) {
      assert.equal(print(value as number), text, `${value} as ${what}`);
    }
  }
});

test("ticks are round and zero has no unit", () => {
  assert.equal(millisecondsTick(0), "0");
  assert.equal(millisecondsTick(0.5), "0.5 ms");
  assert.equal(millisecondsTick(1500), "1.5 s");
  assert.equal(bytes(0), "0");
});

test("large numbers of requests are shortened", () => {
  assert.equal(count(12345), "12,300");
  assert.equal(count(1e6), "1 M");
  assert.equal(count(2.5e9), "2.50 G");
});

test("a quantile keeps the nines that its place stands for", () => {
  assert.deepEqual([1, 2, 10, 100, 1000, 1e4, 1e5].map(quantile), [
    "min",
    "50 %",
    "90 %",
    "99 %",
    "99.9 %",
    "99.99 %",
    "99.999 %",
  ]);
});

test("decades contain both ends", () => {
  assert.deepEqual(decades(1, 1000), [1, 10, 100, 1000]);
  assert.deepEqual(decades(3, 250), [10, 100]);
});

test("a short logarithmic axis has ticks between its decades, a long one has not", () => {
  assert.deepEqual(logTicks(1, 10), [1, 2, 5, 10]);
  assert.deepEqual(logTicks(1, 1e5), decades(1, 1e5));
});

test("an axis between two ticks has even ones", () => {
  assert.deepEqual(logTicks(2.1, 4.9), [3, 4]);
  assert.deepEqual(logTicks(2.1, 2.9), [2.2, 2.4, 2.6, 2.8]);
  assert.deepEqual(logTicks(4, 9), [4, 6, 8]);
  assert.deepEqual(logTicks(3.2, 3.2), [3.2]);
});

test("memory has ticks at powers of two", () => {
  const MIB = 2 ** 20;
  const ticks = byteTicks(260 * MIB, 6);
  assert.equal(ticks[1], 64 * MIB);
  assert.ok(ticks.length <= 7);
  assert.deepEqual(byteTicks(0, 6), [0]);
});

test("ticks of durations are minutes and hours beyond seconds", () => {
  assert.deepEqual(durationTicks(0.5, 7200), [1, 10, 60, 600, 3600]);
});

test("a short axis of durations has numbers, too", () => {
  assert.deepEqual(durationTicks(12, 50), [20, 30, 40, 50]);
  assert.deepEqual(durationTicks(90, 400), [120, 240, 360]);
  assert.deepEqual(durationTicks(2, 9), [2, 4, 6, 8]);
  assert.deepEqual(durationTicks(5, 5), [5]);
});

test("an axis of time has ticks as round as a clock's", () => {
  assert.deepEqual(clockTicks(0, 300, 10), [0, 30, 60, 90, 120, 150, 180, 210, 240, 270, 300]);
  assert.deepEqual(clockTicks(0, 7200, 4), [0, 1800, 3600, 5400, 7200]);
  assert.deepEqual(clockTicks(0, 1, 5).length, 6);
  assert.deepEqual(clockTicks(0, 864e4, 5), [0, 1728e3, 3456e3, 5184e3, 6912e3, 864e4]);
  assert.deepEqual(clockTicks(5, 5, 4), [5]);
  assert.deepEqual([0, 20, 80, 600, 9000, 259200].map(clockTick), ["0", "20 s", "1:20 min", "10:00 min", "2:30 h", "3 days"]);
});
