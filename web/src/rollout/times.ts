// Response times over time: the median, the longest, and what was lost.
import * as Plot from "@observablehq/plot";
import { withKeys } from "../charts/keys";
import { base, everyTick } from "../charts/style";
import { logTicks, milliseconds, millisecondsTick } from "../units";
import type { RolloutData } from "./data";

const [MEDIAN, LONGEST, LOST] = ["var(--v0)", "var(--v1)", "var(--bad)"];

/** Shared by both charts of the page: points above each other happened at the same time. */
export const MARGINS = { marginLeft: 56, marginRight: 18 } as const;

export function times(data: RolloutData, width: number): HTMLElement | null {
  const columns = data.columns.map(([at, p50, longest, lost]) => ({
    at: at + data.column_s / 2,
    p50,
    longest,
    lost,
  }));
  const answered = columns.flatMap(({ at, p50, longest }) =>
    p50 !== null && longest !== null ? [{ at, p50, longest }] : [],
  );
  if (columns.length === 0) return null;
  const lowest = Math.min(1, ...answered.map((it) => it.p50));
  const highest = Math.max(10, ...answered.map((it) => it.longest));
  const top = highest * 2;
  const ticks = logTicks(lowest * 0.8, highest);
  const lost = columns.filter((it) => it.lost > 0);
  const changes = data.windows.filter((it) => it.is_change);
  const plot = Plot.plot({
    ...base(width, "Response times over time"),
    ...MARGINS,
    marginTop: 34,
    x: { domain: [data.from_s, data.to_s], axis: null },
    y: { type: "log", domain: [lowest * 0.8, top], label: null },
    marks: [
      Plot.ruleX(changes, { x: "from_s", stroke: "var(--line)", strokeWidth: 1.5 }),
      Plot.text(spread(changes, data, width), {
        x: "from_s",
        frameAnchor: "top",
        text: "name",
        textAnchor: "start",
        dy: -20,
        dx: 3,
        fill: "var(--ink)",
      }),
      Plot.gridY(ticks, { stroke: "var(--line)", strokeOpacity: 1 }),
      Plot.axisY(ticks, { tickFormat: millisecondsTick, ...everyTick, tickSize: 0, label: null }),
      Plot.axisX({ tickFormat: (s: number) => `${s} s`, ticks: Math.max(3, width / 110), tickSize: 3, label: null }),
      Plot.dot(answered, { x: "at", y: "longest", r: 1.8, fill: LONGEST, fillOpacity: 0.8 }),
      // A column without an answer breaks the line.
      Plot.lineY(columns, { x: "at", y: "p50", stroke: MEDIAN, strokeWidth: 1.5 }),
      Plot.dot(lost, { x: "at", y: top, r: 4, symbol: "times", stroke: LOST, strokeWidth: 2 }),
      Plot.tip(
        columns,
        Plot.pointerX({
          x: "at",
          y: (it) => it.longest ?? top,
          title: (it) =>
            [
              `at ${it.at.toFixed(1)} s`,
              it.p50 === null ? "" : `median ${milliseconds(it.p50)}`,
              it.longest === null ? "" : `longest ${milliseconds(it.longest)}`,
              it.lost > 0 ? `${it.lost} lost` : it.p50 === null ? "no answer" : "",
            ]
              .filter((line) => line !== "")
              .join("\n"),
        }),
      ),
    ],
  });
  const keys = [
    { name: "median", colour: MEDIAN },
    { name: "longest", colour: LONGEST },
    ...(lost.length > 0 ? [{ name: "lost", colour: LOST }] : []),
  ];
  return withKeys(keys, plot);
}

/** Names of changes, but for those that another name would cover. */
function spread(changes: RolloutData["windows"], data: RolloutData, width: number): RolloutData["windows"] {
  const pixels = (s: number) => (s / Math.max(1e-9, data.to_s - data.from_s)) * width;
  let free = Number.NEGATIVE_INFINITY;
  return changes.filter((change) => {
    const from = pixels(change.from_s);
    if (from < free) return false;
    free = from + change.name.length * 7 + 12;
    return true;
  });
}
