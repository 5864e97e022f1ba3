// A quantity over time: the median over launches as a line, what they spanned as a band.
import * as Plot from "@observablehq/plot";
import type { Band } from "../data";
import { millisecondsTick } from "../units";
import { base } from "./style";

export interface BandSeries {
  variant: string;
  band: Band[];
}

export interface BandChart {
  label: string;
  width: number;
  colour: (variant: string) => string;
  /** For tips and ticks. */
  format: (value: number) => string;
  /** Ticks up to the highest value; Plot chooses when absent. */
  ticks?: (high: number) => number[];
  xLabel: string;
}

export function bands(series: BandSeries[], chart: BandChart): SVGSVGElement | HTMLElement | null {
  const points = series.flatMap(({ variant, band }) =>
    band.map(([t, low, mid, high]) => ({ variant, t, low, mid, high })),
  );
  if (points.length === 0) return null;
  const high = Math.max(...points.map((p) => p.high));
  const end = Math.max(...points.map((p) => p.t));
  const ticks = chart.ticks?.(high * 1.05);
  return Plot.plot({
    ...base(chart.width, chart.label),
    marginLeft: 66,
    x: { domain: [0, end] },
    y: { domain: [0, (high || 1) * 1.05] },
    marks: [
      Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ...(ticks ? { ticks } : {}) }),
      Plot.axisX({
        tickFormat: (s: number) => millisecondsTick(s * 1000),
        ticks: Math.max(3, chart.width / 110),
        tickSize: 3,
        label: chart.xLabel,
        labelArrow: "none",
      }),
      Plot.axisY({ tickFormat: chart.format, tickSize: 0, label: null, ...(ticks ? { ticks } : { ticks: 5 }) }),
      Plot.ruleY([0], { stroke: "var(--faint)" }),
      Plot.areaY(points, {
        x: "t",
        y1: "low",
        y2: "high",
        z: "variant",
        fill: (d) => chart.colour(d.variant),
        fillOpacity: 0.14,
      }),
      Plot.lineY(points, {
        x: "t",
        y: "mid",
        z: "variant",
        stroke: (d) => chart.colour(d.variant),
        strokeWidth: 2,
      }),
      Plot.tip(
        points,
        Plot.pointer({
          x: "t",
          y: "mid",
          title: (d) =>
            `${d.variant} at ${millisecondsTick(d.t * 1000)}\nmedian ${chart.format(d.mid)}\nlaunches ${chart.format(d.low)} to ${chart.format(d.high)}`,
        }),
      ),
    ],
  });
}
