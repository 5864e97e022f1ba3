// One variant's memory: heap in use and committed, resident set, working set, and what it may have.
import * as Plot from "@observablehq/plot";
import type { Band } from "../data";
import { byteTicks, bytes, millisecondsTick } from "../units";
import type { Chart } from "./chart";
import { withKeys } from "./keys";
import { base, sinceExec } from "./style";

const LINES = [
  { kind: "heap_committed", name: "heap committed", colour: "var(--v0)" },
  { kind: "rss", name: "resident set", colour: "var(--v1)" },
  { kind: "working_set", name: "working set", colour: "var(--v2)" },
] as const;
const HEAP = { name: "heap in use", colour: "var(--v0)", opacity: 0.35 };
/** A limit above this many times the highest value is named, not drawn: it would flatten curves. */
const FAR = 2.5;

export const memoryCourse: Chart = {
  nothing: "No sample was recorded.",
  controls: (section) => {
    const options = section.cells
      .filter(({ memory }) => memory.rss.length > 0)
      .map(({ variant }) => ({ value: variant, text: variant }));
    return [{ name: "variant", label: "Variant", options, initial: options[0]?.value ?? "" }];
  },
  draw({ section, width, state }) {
    const cell = section.cells.find(({ variant }) => variant === state["variant"]);
    if (!cell || cell.memory.rss.length === 0) return null;
    const lines = LINES.filter(({ kind }) => cell.memory[kind].length > 0).map((line) => ({
      ...line,
      points: cell.memory[line.kind].map(([t, , mid]) => ({ t, mid })),
    }));
    const heap = cell.memory.heap_used.map(([t, low, mid, high]) => ({ t, low, mid, high }));
    const all = [...lines.flatMap(({ points }) => points.map((p) => p.mid)), ...heap.map((p) => p.high)];
    const highest = Math.max(...all);
    const end = Math.max(...[...lines.flatMap(({ points }) => points), ...heap].map((p) => p.t));
    const limit = section.memory_limit_bytes;
    const isNear = limit !== null && limit <= highest * FAR;
    const top = (isNear ? Math.max(limit, highest) : highest) * 1.06;
    const ticks = byteTicks(top, 6);
    const plot = Plot.plot({
      ...base(width, `Memory of ${cell.variant} over time`),
      marginLeft: 66,
      x: { domain: [0, end] },
      y: { domain: [0, top] },
      marks: [
        Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ticks }),
        sinceExec(width),
        Plot.axisY({ tickFormat: bytes, tickSize: 0, label: null, ticks }),
        Plot.areaY(heap, { x: "t", y1: 0, y2: "low", fill: HEAP.colour, fillOpacity: HEAP.opacity }),
        Plot.areaY(heap, { x: "t", y1: "low", y2: "high", fill: HEAP.colour, fillOpacity: HEAP.opacity / 2 }),
        ...lines.map(({ kind, points, colour }) =>
          Plot.lineY(points, {
            x: "t",
            y: "mid",
            stroke: colour,
            strokeWidth: kind === "heap_committed" ? 1.4 : 2,
            curve: kind === "heap_committed" ? "step-after" : "linear",
          }),
        ),
        ...(isNear ? [Plot.ruleY([limit], { stroke: "var(--bad)", strokeDasharray: "5 3" })] : []),
        Plot.ruleY([0], { stroke: "var(--faint)" }),
        Plot.tip(
          cell.memory.rss,
          Plot.pointerX({
            x: (d: Band) => d[0],
            y: (d: Band) => d[2],
            title: (d: Band) =>
              [
                `at ${millisecondsTick(d[0] * 1000)}`,
                ...lines.map(({ name, points }) => `${name} ${bytes(nearest(points, d[0])?.mid ?? 0)}`),
                ...(heap.length > 0 ? [`heap in use ${bytes(nearest(heap, d[0])?.mid ?? 0)}`] : []),
              ].join("\n"),
          }),
        ),
      ],
    });
    const keys = [
      ...(heap.length > 0 ? [HEAP] : []),
      ...lines.map(({ name, colour }) => ({ name, colour })),
      ...(limit === null
        ? []
        : [{ name: `limit ${bytes(limit)}${isNear ? "" : ", far above"}`, colour: "var(--bad)", dashed: true }]),
    ];
    return withKeys(keys, plot);
  },
};

function nearest<T extends { t: number }>(points: T[], t: number): T | undefined {
  return points.reduce<T | undefined>(
    (best, next) => (best && Math.abs(best.t - t) <= Math.abs(next.t - t) ? best : next),
    undefined,
  );
}
