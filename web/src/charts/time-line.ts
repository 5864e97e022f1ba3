// From exec to ready: medians over the launches, stacked.
import * as Plot from "@observablehq/plot";
import { milliseconds, millisecondsTick } from "../units";
import { element } from "../dom";
import type { Chart } from "./chart";
import { labelMargin, withinMargin } from "./start-up";
import { base } from "./style";

const STAGES = ["listening", "first 2xx", "ready"];
const SHADES = STAGES.map((_, i) => `var(--stage${i})`);

export const timeLine: Chart = {
  nothing: "No launch that counts became ready.",
  draw({ cells, width }) {
    const names = cells.map((c) => c.variant);
    const stages = cells.flatMap(({ variant, time_line }) =>
      time_line.map((stage) => ({ variant, ...stage })),
    );
    if (stages.length === 0) return null;
    const ends = cells.flatMap(({ variant, time_line }) => {
      const last = time_line.at(-1);
      return last ? [{ variant, ms: last.to_ms }] : [];
    });
    const plot = Plot.plot({
      ...base(width, "Time line from exec to ready by variant"),
      height: 56 + cells.length * 46,
      marginLeft: labelMargin(names),
      marginRight: 60,
      x: { domain: [0, Math.max(...ends.map((e) => e.ms))], label: null },
      y: { domain: names, label: null, padding: 0.42 },
      color: { domain: STAGES, range: SHADES },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1 }),
        Plot.axisX({ tickFormat: millisecondsTick, ticks: Math.max(3, width / 110), tickSize: 0, label: null }),
        Plot.axisY({ label: null, tickSize: 0, fontSize: 12.5, dx: -2, ...withinMargin(names) }),
        Plot.barX(stages, {
          x1: "from_ms",
          x2: "to_ms",
          y: "variant",
          fill: "until",
          insetRight: 1,
          title: (d) =>
            `${d.variant}: ${d.until} at ${milliseconds(d.to_ms)}, ${milliseconds(d.to_ms - d.from_ms)} after the instant before`,
          tip: true,
        }),
        Plot.text(ends, {
          x: "ms",
          y: "variant",
          text: (d) => milliseconds(d.ms),
          textAnchor: "start",
          dx: 6,
          fill: "var(--ink)",
          fontWeight: 600,
        }),
      ],
    });
    return element("div", {}, stageLegend(), plot);
  },
};

function stageLegend(): HTMLElement {
  return element(
    "div",
    { class: "stages" },
    ...STAGES.map((name, i) => {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = SHADES[i] ?? "";
      return element("span", {}, swatch, name);
    }),
  );
}
