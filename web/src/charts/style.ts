// The look that all charts share. Colours are CSS variables, so that light, dark and paper need no
// redrawing.
import * as Plot from "@observablehq/plot";
import type { PlotOptions } from "@observablehq/plot";
import { millisecondsTick } from "../units";

/** Colours that report.css defines. */
const COLOURS = 10;
/** Steps of this many degrees on the circle of hues never come back to the same hue. */
const GOLDEN_ANGLE = 137.5;

/**
 * The colour of the n-th variant of the plan; beyond those of report.css, hues far from each other.
 */
export function colour(index: number): string {
  if (index < COLOURS) return `var(--v${Math.max(0, index)})`;
  return `hsl(${Math.round(index * GOLDEN_ANGLE) % 360} 55% 52%)`;
}

/** The height that suits a width. */
export function heightFor(width: number): number {
  return Math.round(Math.min(340, Math.max(240, width * 0.58)));
}

/** Options of every plot. */
export function base(width: number, label: string): PlotOptions {
  return {
    width,
    height: heightFor(width),
    marginLeft: 56,
    marginRight: 18,
    marginTop: 22,
    marginBottom: 38,
    ariaLabel: label,
    style: { background: "transparent", color: "inherit", fontSize: "12px", overflow: "visible" },
  };
}

/**
 * With this, every tick of a logarithmic axis keeps its label: Plot asks d3 to format them, which
 * blanks those that are not powers of ten unless many ticks are wanted.
 */
export const everyTick = { ticks: 1000 } as const;

/** The axis of seconds since exec. */
export function sinceExec(width: number) {
  return Plot.axisX({
    tickFormat: (s: number) => millisecondsTick(s * 1000),
    ticks: Math.max(2, width / 120),
    tickSize: 3,
    label: "since exec",
    labelArrow: "none",
  });
}
