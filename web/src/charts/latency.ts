// Latency by quantile. Histograms of all launches are merged before; no percentile is averaged.
import * as Plot from "@observablehq/plot";
import { count, decades, logTicks, milliseconds, millisecondsTick, quantile } from "../units";
import type { Chart } from "./chart";
import { phaseControl } from "./chart";
import { base, everyTick } from "./style";

const CLOCKS = [
  { value: "response", text: "response time" },
  { value: "service", text: "service time" },
  { value: "both", text: "both" },
];

export const latency: Chart = {
  nothing: "No histogram was recorded for this phase.",
  controls: (section) => [
    phaseControl(section, ["open", "closed"], (cell, phase) =>
      cell.latency.some((curve) => curve.phase === phase && curve.count > 0),
    ),
    { name: "clock", label: "Clock", options: CLOCKS, initial: "response" },
  ],
  draw({ cells, colour, width, state }) {
    const clock = state["clock"];
    const points = cells.flatMap(({ variant, latency }) =>
      latency
        .filter((curve) => curve.phase === state["phase"])
        .flatMap((curve) => {
          const of = (name: "response" | "service") =>
            clock === name || clock === "both"
              ? curve[name].map(([x, ms], i, { length }) => ({
                  variant,
                  x,
                  ms,
                  name,
                  key: `${variant} ${name}`,
                  count: curve.count,
                  // x is rounded, and may be below the count.
                  isMaximum: i === length - 1,
                }))
              : [];
          return [...of("response"), ...of("service")];
        }),
    ).filter((d) => d.ms > 0);
    if (points.length === 0) return null;
    const [low, high] = [Math.min(...points.map((d) => d.ms)), Math.max(...points.map((d) => d.ms))];
    const last = Math.max(2, ...points.map((d) => d.x));
    const dashed = clock === "both";
    return Plot.plot({
      ...base(width, "Latency by quantile"),
      x: { type: "log", domain: [1, last] },
      y: { type: "log", domain: [low * 0.85, high * 1.15] },
      marks: [
        Plot.gridY(logTicks(low, high), { stroke: "var(--line)", strokeOpacity: 1 }),
        Plot.gridX([2, ...decades(10, last)], { stroke: "var(--line)", strokeOpacity: 1 }),
        Plot.axisX([2, ...decades(10, last)], { tickFormat: quantile, ...everyTick, tickSize: 0, label: "quantile", labelArrow: "none" }),
        Plot.axisY(logTicks(low, high), { tickFormat: millisecondsTick, ...everyTick, tickSize: 0, label: null }),
        ...(["response", "service"] as const).map((name) =>
          Plot.lineY(
            points.filter((d) => d.name === name),
            {
              x: "x",
              y: "ms",
              z: "key",
              stroke: (d) => colour(d.variant),
              strokeWidth: 2,
              ...(dashed && name === "service" ? { strokeDasharray: "4 3" } : {}),
            },
          ),
        ),
        Plot.tip(
          points,
          Plot.pointer({
            x: "x",
            y: "ms",
            title: (d) =>
              `${d.variant}, ${d.name} time\n${d.isMaximum ? "maximum" : quantile(d.x)}: ${milliseconds(d.ms)}\n${count(d.count)} answers`,
          }),
        ),
      ],
    });
  },
};
