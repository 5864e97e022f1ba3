// Where the memory is: the parts of the resident set, a bar a variant.
import * as Plot from "@observablehq/plot";
import { byteTicks, bytes } from "../units";
import type { Chart } from "./chart";
import { withKeys } from "./keys";
import { labelMargin, withinMargin } from "./start-up";
import { base } from "./style";

/** In the order of the bar; what belongs together has one colour. */
const PARTS: { name: string; colour: string; opacity: number }[] = [
  { name: "live heap", colour: "var(--v0)", opacity: 1 },
  { name: "used heap", colour: "var(--v0)", opacity: 0.8 },
  { name: "garbage slack", colour: "var(--v0)", opacity: 0.55 },
  { name: "unused heap", colour: "var(--v0)", opacity: 0.25 },
  { name: "metaspace", colour: "var(--v2)", opacity: 1 },
  { name: "class archive", colour: "var(--v2)", opacity: 0.5 },
  { name: "code cache", colour: "var(--v1)", opacity: 0.9 },
  { name: "thread stacks", colour: "var(--v4)", opacity: 0.9 },
  { name: "libc", colour: "var(--v6)", opacity: 0.8 },
  { name: "programs", colour: "var(--v8)", opacity: 0.8 },
  { name: "mapped files", colour: "var(--v8)", opacity: 0.45 },
  { name: "shared memory", colour: "var(--v3)", opacity: 0.7 },
  { name: "unexplained", colour: "var(--faint)", opacity: 0.6 },
];

export const memorySplit: Chart = {
  nothing: "No completed launch recorded the parts of its memory.",
  draw({ cells, width }) {
    const shown = cells.filter(({ split }) => split.length > 0);
    if (shown.length === 0) return null;
    const names = shown.map(({ variant }) => variant);
    const bars = shown.flatMap(({ variant, split }) => {
      let from = 0;
      return PARTS.flatMap((part) => {
        const size = split.find(([name]) => name === part.name)?.[1];
        if (!size) return [];
        from += size;
        return [{ ...part, variant, from: from - size, to: from, size }];
      });
    });
    const sums = shown.map(({ variant, split }) => ({
      variant,
      sum: split.reduce((sum, [, size]) => sum + size, 0),
    }));
    const most = Math.max(...sums.map(({ sum }) => sum));
    const ticks = byteTicks(most, Math.max(2, Math.floor(width / 120)));
    const plot = Plot.plot({
      ...base(width, "Where the memory is, by variant"),
      height: 56 + shown.length * 40,
      marginLeft: labelMargin(names),
      marginRight: 74,
      x: { domain: [0, most] },
      y: { domain: names, label: null, padding: 0.36 },
      marks: [
        Plot.gridX({ stroke: "var(--line)", strokeOpacity: 1, ticks }),
        Plot.axisX({ tickFormat: bytes, ticks, tickSize: 3, label: null }),
        Plot.axisY({ tickSize: 0, label: null, ...withinMargin(names) }),
        Plot.barX(bars, {
          x1: "from",
          x2: "to",
          y: "variant",
          fill: (d) => d.colour,
          fillOpacity: (d) => d.opacity,
          insetRight: 1,
        }),
        Plot.text(sums, {
          x: "sum",
          y: "variant",
          text: ({ sum }) => bytes(sum),
          textAnchor: "start",
          dx: 6,
          fill: "var(--ink)",
        }),
        Plot.tip(
          bars,
          Plot.pointer({
            x: (d) => (d.from + d.to) / 2,
            y: "variant",
            title: (d) => `${d.variant}\n${d.name} ${bytes(d.size)}`,
          }),
        ),
      ],
    });
    const keys = PARTS.filter(({ name }) => bars.some((bar) => bar.name === name));
    return withKeys(keys, plot);
  },
};
