// The first requests: each launch's answers as dots, the median over launches as a line.
import * as Plot from "@observablehq/plot";
import { count, logTicks, milliseconds, millisecondsTick } from "../units";
import type { Chart } from "./chart";
import { base, everyTick } from "./style";

export const firstRequests: Chart = {
  nothing: "No request was recorded one by one.",
  draw({ cells, colour, width }) {
    const dots = cells.flatMap(({ variant, first }) =>
      first.launches.flatMap((launch) => launch.map(([n, ms]) => ({ variant, n, ms }))),
    );
    const failed = cells.flatMap(({ variant, first }) =>
      first.failed.map(([n, ms]) => ({ variant, n, ms })),
    );
    const medians = cells.flatMap(({ variant, first }) =>
      first.median.map(([n, ms]) => ({ variant, n, ms })),
    );
    const all = [...dots, ...failed].filter((d) => d.ms > 0);
    if (all.length === 0) return null;
    const [low, high] = [Math.min(...all.map((d) => d.ms)), Math.max(...all.map((d) => d.ms))];
    const last = Math.max(2, ...all.map((d) => d.n));
    return Plot.plot({
      ...base(width, "Response time of the first requests"),
      x: { type: "log", domain: [1, last] },
      y: { type: "log", domain: [low * 0.85, high * 1.15] },
      marks: [
        Plot.gridY(logTicks(low, high), { stroke: "var(--line)", strokeOpacity: 1 }),
        Plot.axisX(logTicks(1, last), { tickFormat: count, ...everyTick, tickSize: 3, label: "number of the request", labelArrow: "none" }),
        Plot.axisY(logTicks(low, high), { tickFormat: millisecondsTick, ...everyTick, tickSize: 0, label: null }),
        Plot.dot(dots.filter((d) => d.ms > 0), {
          x: "n",
          y: "ms",
          r: 2,
          fill: (d) => colour(d.variant),
          fillOpacity: 0.32,
        }),
        Plot.dot(failed.filter((d) => d.ms > 0), {
          x: "n",
          y: "ms",
          r: 4,
          symbol: "times",
          stroke: "var(--bad)",
        }),
        Plot.lineY(medians, {
          x: "n",
          y: "ms",
          z: "variant",
          stroke: (d) => colour(d.variant),
          strokeWidth: 2,
        }),
        Plot.tip(
          medians,
          Plot.pointer({
            x: "n",
            y: "ms",
            title: (d) => `${d.variant}, request ${count(d.n)}\nmedian ${milliseconds(d.ms)}`,
          }),
        ),
      ],
    });
  },
};
