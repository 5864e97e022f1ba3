// Cumulative cost over the requests served, and where the curves cross.
import * as Plot from "@observablehq/plot";
import { count, decades, durationTicks, seconds } from "../units";
import type { Chart } from "./chart";
import { base, everyTick } from "./style";

const COSTS = [
  { value: "waiting", text: "users' waiting time" },
  { value: "cpu", text: "processor time" },
];

export const breakEven: Chart = {
  nothing: "The analysis has no cumulative cost for these limits.",
  controls: () => [{ name: "cost", label: "Cost", options: COSTS, initial: "waiting" }],
  draw({ cells, section, colour, width, state }) {
    const points = cells
      .flatMap(({ variant, cost }) =>
        cost
          .filter((series) => series.cost === state["cost"])
          .flatMap((series) => [
            ...series.measured.map(([n, s]) => ({ variant, n, s, measured: true })),
            ...series.extrapolated.map(([n, s]) => ({ variant, n, s, measured: false })),
          ]),
      )
      .filter((d) => d.n > 0 && d.s > 0);
    if (points.length === 0) return null;
    const shown = new Set(cells.map((c) => c.variant));
    const crossings = section.breaks.filter(
      (b) => b.cost === state["cost"] && shown.has(b.before) && shown.has(b.after),
    );
    const xs = points.map((d) => d.n);
    const ys = points.map((d) => d.s);
    const [left, right, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
    const visible = crossings.filter((b) => b.at.value >= left && b.at.value <= right);
    return Plot.plot({
      ...base(width, "Cumulative cost over the requests served"),
      height: Math.min(420, Math.max(260, width * 0.42)),
      marginLeft: 66,
      x: { type: "log", domain: [left, right] },
      y: { type: "log", domain: [low * 0.85, high * 1.15] },
      marks: [
        Plot.gridY(durationTicks(low, high), { stroke: "var(--line)", strokeOpacity: 1 }),
        Plot.axisX(decades(left, right), { tickFormat: count, ...everyTick, tickSize: 3, label: "requests served by one instance", labelArrow: "none" }),
        Plot.axisY(durationTicks(low, high), { tickFormat: seconds, ...everyTick, tickSize: 0, label: null }),
        Plot.rectX(visible, {
          x1: (d) => Math.max(left, d.at.low),
          x2: (d) => Math.min(right, d.at.high),
          fill: "var(--faint)",
          fillOpacity: 0.13,
        }),
        Plot.ruleX(visible, { x: (d) => d.at.value, stroke: "var(--faint)", strokeDasharray: "2 3" }),
        Plot.lineY(points.filter((d) => d.measured), {
          x: "n",
          y: "s",
          z: "variant",
          stroke: (d) => colour(d.variant),
          strokeWidth: 2,
        }),
        Plot.lineY(points.filter((d) => !d.measured), {
          x: "n",
          y: "s",
          z: "variant",
          stroke: (d) => colour(d.variant),
          strokeWidth: 1.6,
          strokeDasharray: "3 4",
        }),
        Plot.tip(
          points,
          Plot.pointer({
            x: "n",
            y: "s",
            title: (d) =>
              `${d.variant} after ${count(d.n)} requests\n${seconds(d.s)}${d.measured ? "" : " (extrapolated)"}`,
          }),
        ),
      ],
    });
  },
};
