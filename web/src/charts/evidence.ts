// The evidence of one finding: its series, and where in time it was seen.
import * as Plot from "@observablehq/plot";
import { byteTicks, bytes, millisecondsTick } from "../units";
import type { Chart } from "./chart";
import { withKeys } from "./keys";
import { base, sinceExec } from "./style";

const COLOURS = ["var(--v0)", "var(--v1)", "var(--v2)", "var(--v3)"];
/** Up to this many points are drawn as dots on the line. */
const FEW = 40;

function formatFor(unit: string): (value: number) => string {
  if (unit === "bytes") return bytes;
  if (unit === "bytes/s") return (value) => `${bytes(value)}/s`;
  return (value) => `${Number((value * 100).toPrecision(3))} %`;
}

export const evidence: Chart = {
  nothing: "There is nothing to draw.",
  draw({ section, index, width }) {
    const found = section.evidence[index];
    const series = (found?.series ?? []).filter(({ points }) => points.length > 0);
    const first = series[0];
    if (!found || !first) return null;
    const format = formatFor(first.unit);
    const keys = series.map(({ name }, i) => ({
      name,
      colour: COLOURS[i % COLOURS.length] ?? "var(--v0)",
      dashed: name === "trend",
    }));
    const all = series.flatMap(({ points }) => points);
    const top = (Math.max(...all.map(([, y]) => y)) || 1) * 1.08;
    const end = Math.max(found.to_s, ...all.map(([x]) => x));
    const begin = Math.min(found.from_s, ...all.map(([x]) => x));
    const ticks = first.unit === "1" ? undefined : byteTicks(top, 5);
    const grid = ticks ? { ticks } : { ticks: 4 };
    const plot = Plot.plot({
      ...base(width, `${found.title}: ${found.variant}`),
      height: 210,
      marginLeft: 74,
      x: { domain: [begin < end * 0.2 ? 0 : begin, end] },
      y: { domain: [0, top] },
      marks: [
        Plot.rect([found], { x1: "from_s", x2: "to_s", y1: 0, y2: top, fill: "var(--warn)", fillOpacity: 0.09 }),
        Plot.gridY({ stroke: "var(--line)", strokeOpacity: 1, ...grid }),
        sinceExec(width),
        Plot.axisY({ tickFormat: format, tickSize: 0, label: null, ...grid }),
        Plot.ruleY([0], { stroke: "var(--faint)" }),
        ...series.flatMap(({ points }, i) => {
          const key = keys[i];
          const colour = key?.colour ?? "var(--v0)";
          return [
            Plot.line(points, {
              stroke: colour,
              strokeWidth: 1.6,
              // A trend may begin below nothing.
              clip: true,
              ...(key?.dashed ? { strokeDasharray: "5 3" } : {}),
            }),
            ...(points.length <= FEW && !key?.dashed ? [Plot.dot(points, { r: 2, fill: colour })] : []),
          ];
        }),
        Plot.tip(
          series.flatMap(({ name, points }) => points.map(([t, value]) => ({ name, t, value }))),
          Plot.pointer({
            x: "t",
            y: "value",
            title: (d) => `${d.name} at ${millisecondsTick(d.t * 1000)}\n${format(d.value)}`,
          }),
        ),
      ],
    });
    return withKeys(keys, plot);
  },
};
