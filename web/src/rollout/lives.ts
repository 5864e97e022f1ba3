// The life of each pod, a bar in its parts, below the response times.
import * as Plot from "@observablehq/plot";
import { withKeys } from "../charts/keys";
import { base } from "../charts/style";
import type { RolloutData } from "./data";
import { MARGINS } from "./times";

const COLOURS = {
  starting: "var(--v1)",
  "takes traffic": "var(--v2)",
  "no endpoint": "var(--v9)",
  ending: "var(--bad)",
} as const;

const ROW = 22;

export function lives(data: RolloutData, width: number): HTMLElement | null {
  const names = data.pods.map((pod, n) => ({ ...pod, row: String(n + 1) }));
  const parts = names.flatMap((pod) => pod.parts.map((part) => ({ ...part, row: pod.row, name: pod.name })));
  if (parts.length === 0) return null;
  const restarted = names.flatMap((pod) => pod.restarted_s.map((at) => ({ at, row: pod.row })));
  const plot = Plot.plot({
    ...base(width, "Lives of the pods"),
    ...MARGINS,
    marginTop: 8,
    height: 46 + ROW * names.length,
    x: { domain: [data.from_s, data.to_s] },
    y: { domain: names.map((pod) => pod.row), label: null, padding: 0.3 },
    marks: [
      Plot.axisX({
        tickFormat: (s: number) => `${s} s`,
        ticks: Math.max(3, width / 110),
        tickSize: 3,
        label: "since the first change",
        labelArrow: "none",
      }),
      Plot.axisY({ label: null, tickSize: 0 }),
      Plot.ruleX(
        data.windows.filter((it) => it.is_change),
        { x: "from_s", stroke: "var(--line)", strokeWidth: 1.5 },
      ),
      Plot.barX(parts, {
        x1: "from_s",
        x2: "to_s",
        y: "row",
        fill: (part) => COLOURS[part.what as keyof typeof COLOURS],
        fillOpacity: 0.8,
        title: (part) => `${part.name}\n${part.what}, ${part.from_s.toFixed(1)} to ${part.to_s.toFixed(1)} s`,
        tip: true,
      }),
      Plot.dot(restarted, { x: "at", y: "row", r: 4, symbol: "times", stroke: "var(--bad)", strokeWidth: 2 }),
    ],
  });
  const seen = Object.entries(COLOURS).filter(([name]) => parts.some((part) => part.what === name));
  const keys = seen.map(([name, colour]) => ({ name, colour, opacity: 0.8 }));
  return withKeys(keys, plot);
}
