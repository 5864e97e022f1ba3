// Time to ready: every launch as a dot, the median with its interval.
import * as Plot from "@observablehq/plot";
import { milliseconds, millisecondsTick } from "../units";
import type { Chart } from "./chart";
import { base } from "./style";

const ROW = 46;
/** Size of the names at the left, in pixels. */
const NAME = 12.5;

export const startUp: Chart = {
  nothing: "No launch became ready.",
  draw({ cells, colour, width }) {
    const names = cells.map((c) => c.variant);
    const dots = cells.flatMap(({ variant, startup }) =>
      startup.dots.map((dot) => ({ variant, ...dot })),
    );
    if (dots.length === 0) return null;
    const estimates = cells.flatMap(({ variant, startup }) =>
      startup.estimate ? [{ variant, ...startup.estimate }] : [],
    );
    const most = Math.max(...dots.map((d) => d.ms), ...estimates.map((e) => e.high));
    const tip = (d: { launch: number; ms: number; counts: boolean }) =>
      `launch ${d.launch}: ${milliseconds(d.ms)}${d.counts ? "" : " (does not count)"}`;
    return Plot.plot({
      ...base(width, "Time to ready by variant"),
      height: 56 + cells.length * ROW,
      marginLeft: labelMargin(names),
      marginRight: 44,
      x: { domain: [0, most * 1.02], label: "time to ready", labelArrow: "none" },
      fy: { domain: names, label: null, padding: 0, axis: null },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1 }),
        Plot.axisX({ tickFormat: millisecondsTick, ticks: Math.max(3, width / 110), tickSize: 0, label: null }),
        Plot.axisFy({ label: null, anchor: "left", fontSize: NAME, dx: -6, ...withinMargin(names) }),
        Plot.ruleX([0], { stroke: "var(--faint)" }),
        // Without y a rule spans its row; the interval is a bar of its own height in the middle.
        Plot.ruleY(estimates, {
          fy: "variant",
          x1: "low",
          x2: "high",
          y: () => 0,
          stroke: (d) => colour(d.variant),
          strokeWidth: 11,
          strokeOpacity: 0.28,
        }),
        Plot.dot(
          dots.filter((d) => d.counts),
          {
            fy: "variant",
            x: "ms",
            y: () => 0,
            r: 3.2,
            fill: (d) => colour(d.variant),
            fillOpacity: 0.75,
            stroke: "var(--surface)",
            strokeWidth: 0.7,
          },
        ),
        Plot.dot(
          dots.filter((d) => !d.counts),
          {
            fy: "variant",
            x: "ms",
            y: () => 0,
            r: 4,
            symbol: "times",
            stroke: "var(--bad)",
            strokeWidth: 1.6,
          },
        ),
        Plot.tickX(estimates, {
          fy: "variant",
          x: "value",
          stroke: (d) => colour(d.variant),
          strokeWidth: 2.5,
          insetTop: 9,
          insetBottom: 9,
        }),
        Plot.text(estimates, {
          fy: "variant",
          x: "value",
          frameAnchor: "top",
          text: (d) => milliseconds(d.value),
          fill: "var(--ink)",
          fontWeight: 600,
          dy: -3,
          stroke: "var(--surface)",
          strokeWidth: 4,
        }),
        Plot.tip(
          dots,
          Plot.pointer({ fy: "variant", x: "ms", y: () => 0, title: tip }),
        ),
      ],
      y: { domain: [-1, 1], axis: null },
    });
  },
};

/** Room for the names at the left of a chart; see `withinMargin` for long ones. */
export function labelMargin(names: string[]): number {
  const longest = Math.max(0, ...names.map((name) => name.length));
  return Math.min(150, Math.max(56, 18 + longest * 7.2));
}

/** Of an axis with these names: long ones lose their middle; a tooltip has the whole. */
export function withinMargin(names: string[]) {
  return { textOverflow: "ellipsis-middle", lineWidth: (labelMargin(names) - 14) / NAME } as const;
}
