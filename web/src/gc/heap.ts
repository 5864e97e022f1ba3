// Used before and after each collection, and what is committed.
import * as Plot from "@observablehq/plot";
import { withKeys } from "../charts/keys";
import { base } from "../charts/style";
import { byteTicks, bytes, clockTick, clockTicks, seconds } from "../units";
import type { GcData, HeapPoint } from "./data";
import { beside, heapIn, lineIn, stepsBelow, type View } from "./view";

const [USED, LEFT, COMMITTED, LIMIT] = ["var(--v0)", "var(--v2)", "var(--v1)", "var(--bad)"];
const TREND = "var(--ink)";

const point = ([t, before, low, high, capacity]: HeapPoint) => ({ t, before, low, high, capacity });

export function heap(data: GcData, width: number, view: View): HTMLElement | null {
  if (data.heap.length === 0) return null;
  const inView = heapIn(data.heap, view, width).map(point);
  // Between two collections there is no point in view, but there is a heap.
  const { before, after } = beside(data.heap, view);
  const points = [...before.map(point), ...inView, ...after.map(point)];
  // A saw-tooth: up to what was used before a collection, down to what it left.
  const saw = points.flatMap((p) => [
    { t: p.t, used: p.before },
    { t: p.t, used: p.low },
  ]);
  const limit = view.maximum ? data.max_heap_bytes : null;
  // The axis fits the used heap, so its curve can be seen even in a heap that is far too large.
  // Of the collection before the view only what it left is seen.
  const used = Math.max(1, ...points.map((p) => (p.t < view.from ? p.low : p.before)));
  const most = limit ?? used;
  const ticks = byteTicks(most * 1.05, 6);
  const capacities = points.flatMap(({ t, capacity }) => (capacity === null ? [] : [{ t, value: capacity }]));
  const committed = stepsBelow(capacities, most * 1.08);
  const fits = committed.some((step) => !Number.isNaN(step.value));
  const isCut = committed.some((step) => Number.isNaN(step.value));
  const trend = data.trend ? lineIn(data.trend, view) : null;
  const plot = Plot.plot({
    ...base(width, "Heap over time"),
    marginLeft: 66,
    x: { domain: [view.from, view.to] },
    y: { domain: [0, most * 1.08] },
    marks: [
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ticks }),
      Plot.axisX({
        tickFormat: clockTick,
        ticks: clockTicks(view.from, view.to, Math.max(3, width / 90)),
        tickSize: 3,
        label: "since the log began",
        labelArrow: "none",
      }),
      Plot.axisY({ tickFormat: bytes, tickSize: 0, label: null, ticks }),
      Plot.areaY(saw, { x: "t", y1: 0, y2: "used", fill: USED, fillOpacity: 0.14, clip: true }),
      Plot.lineY(saw, { x: "t", y: "used", stroke: USED, strokeWidth: 1, strokeOpacity: 0.7, clip: true }),
      Plot.dot(inView, { x: "t", y: "low", r: 1.6, fill: LEFT }),
      ...(fits
        ? [
            Plot.lineY(committed, {
              x: "t",
              y: "value",
              curve: "step-after",
              stroke: COMMITTED,
              strokeWidth: 1.5,
              clip: true,
            }),
          ]
        : []),
      ...(trend ? [Plot.line(trend, { stroke: TREND, strokeWidth: 1.5, strokeDasharray: "6 4" })] : []),
      ...(limit === null ? [] : [Plot.ruleY([limit], { stroke: LIMIT, strokeDasharray: "4 3" })]),
      Plot.tip(
        inView,
        Plot.pointerX({
          x: "t",
          y: "before",
          title: (p) =>
            `at ${seconds(p.t)}\nbefore ${bytes(p.before)}\nafter ${p.low === p.high ? bytes(p.low) : `${bytes(p.low)} to ${bytes(p.high)}`}${p.capacity === null ? "" : `\ncommitted ${bytes(p.capacity)}`}`,
        }),
      ),
    ],
  });
  const keys = [
    { name: "in use", colour: USED },
    { name: "left by a collection", colour: LEFT },
    ...(fits ? [{ name: isCut ? "committed (where it fits)" : "committed", colour: COMMITTED }] : []),
    ...(trend ? [{ name: "what is alive grows so", colour: TREND, dashed: true }] : []),
    ...(limit === null ? [] : [{ name: "largest heap allowed", colour: LIMIT, dashed: true }]),
  ];
  return withKeys(keys, plot);
}
