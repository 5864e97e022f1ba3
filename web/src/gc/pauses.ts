// Pauses over time: a line each, as long as the pause took.
import * as Plot from "@observablehq/plot";
import { withKeys } from "../charts/keys";
import { base } from "../charts/style";
import { clockTick, clockTicks, milliseconds, millisecondsTick, seconds } from "../units";
import type { GcData } from "./data";
import { pausesIn, type View } from "./view";

export function pauses(data: GcData, width: number, view: View): HTMLElement | null {
  if (data.pauses.length === 0) return null;
  const points = pausesIn(data.pauses, view, width).map(([t, ms, count, full]) => ({ t, ms, count, full }));
  const most = Math.max(0, ...points.map((p) => p.ms));
  const stroke = (p: { full: number }) => (p.full > 0 ? "var(--bad)" : "var(--v0)");
  const plot = Plot.plot({
    ...base(width, "Pauses over time"),
    marginLeft: 66,
    x: { domain: [view.from, view.to] },
    y: { domain: [0, most * 1.08 || 1] },
    marks: [
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ticks: 5 }),
      Plot.axisX({
        tickFormat: clockTick,
        ticks: clockTicks(view.from, view.to, Math.max(3, width / 90)),
        tickSize: 3,
        label: "since the log began",
        labelArrow: "none",
      }),
      Plot.axisY({ tickFormat: millisecondsTick, tickSize: 0, label: null, ticks: 5 }),
      Plot.ruleX(points, { x: "t", y1: 0, y2: "ms", stroke, strokeWidth: 1.3, strokeOpacity: 0.55 }),
      Plot.dot(points, { x: "t", y: "ms", r: 2.2, fill: stroke }),
      Plot.ruleY([0], { stroke: "var(--faint)" }),
      Plot.tip(
        points,
        Plot.pointer({
          x: "t",
          y: "ms",
          title: (p) =>
            `at ${seconds(p.t)}\n${p.count === 1 ? "" : `${p.count} pauses, the longest `}${milliseconds(p.ms)}${p.full > 0 ? "\nfull or degenerated" : ""}`,
        }),
      ),
    ],
  });
  const keys = [
    { name: "pause", colour: "var(--v0)" },
    ...(data.pauses.some(([, , , full]) => full > 0) ? [{ name: "full or degenerated", colour: "var(--bad)" }] : []),
  ];
  return withKeys(keys, plot);
}
