// A quantity over time: the median over launches as a line, what they spanned as a band.
import * as Plot from "@observablehq/plot";
import type { Band } from "../data";
import { logTicks, millisecondsTick } from "../units";
import { base, everyTick } from "./style";

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
  /** Values span orders of magnitude. */
  isLogarithmic?: boolean;
}

export function bands(series: BandSeries[], chart: BandChart): SVGSVGElement | HTMLElement | null {
  const points = series.flatMap(({ variant, band }) =>
    band.map(([t, low, mid, high]) => ({ variant, t, low, mid, high })),
  );
  if (points.length === 0) return null;
  const high = Math.max(...points.map((p) => p.high));
  const end = Math.max(...points.map((p) => p.t));
  const low = Math.min(...points.map((p) => p.low).filter((value) => value > 0), high);
  const [y, yMarks] = chart.isLogarithmic ? logarithmic(low, high, chart) : linear(high, chart);
  return Plot.plot({
    ...base(chart.width, chart.label),
    marginLeft: 66,
    x: { domain: [0, end] },
    y,
    marks: [
      ...yMarks,
      Plot.axisX({
        tickFormat: (s: number) => millisecondsTick(s * 1000),
        ticks: Math.max(3, chart.width / 110),
        tickSize: 3,
        label: chart.xLabel,
        labelArrow: "none",
      }),
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

const GRID = { stroke: "var(--line)", strokeOpacity: 1 };

function linear(high: number, chart: BandChart): [Plot.ScaleOptions, Plot.Markish[]] {
  const ticks = chart.ticks?.(high * 1.05);
  const marks = [
    Plot.gridY({ ...GRID, ...(ticks ? { ticks } : {}) }),
    Plot.axisY({ tickFormat: chart.format, tickSize: 0, label: null, ticks: ticks ?? 5 }),
    Plot.ruleY([0], { stroke: "var(--faint)" }),
  ];
  return [{ domain: [0, (high || 1) * 1.05] }, marks];
}

function logarithmic(low: number, high: number, chart: BandChart): [Plot.ScaleOptions, Plot.Markish[]] {
  const ticks = logTicks(low, high);
  const marks = [
    Plot.gridY(ticks, GRID),
    Plot.axisY(ticks, { tickFormat: chart.format, ...everyTick, tickSize: 0, label: null }),
  ];
  return [{ type: "log", domain: [low * 0.85, high * 1.15] }, marks];
}
