// Memory since exec, variant beside variant.
import type { Cell } from "../data";
import { byteTicks, bytes } from "../units";
import { bands } from "./band";
import type { Chart } from "./chart";

type Kind = keyof Cell["memory"];

const KINDS: { value: Kind; text: string }[] = [
  { value: "rss", text: "RSS" },
  { value: "working_set", text: "working set" },
  { value: "heap_used", text: "heap in use" },
  { value: "heap_committed", text: "heap committed" },
];

export const memory: Chart = {
  nothing: "No sample was recorded.",
  controls: (section) => {
    const options = KINDS.filter(({ value }) => section.cells.some((cell) => cell.memory[value].length > 0));
    return [{ name: "kind", label: "Kind of memory", options, initial: options[0]?.value ?? "rss" }];
  },
  draw({ cells, colour, width, state }) {
    const kind = KINDS.find(({ value }) => value === state["kind"])?.value ?? "rss";
    const series = cells.map(({ variant, memory }) => ({ variant, band: memory[kind] }));
    return bands(series, {
      label: "Memory over time",
      width,
      colour,
      format: bytes,
      ticks: (high) => byteTicks(high, 6),
      xLabel: "since exec",
    });
  },
};
