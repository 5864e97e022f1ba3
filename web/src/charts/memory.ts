// Memory since exec.
import { byteTicks, bytes } from "../units";
import { bands } from "./band";
import type { Chart } from "./chart";

export const memory: Chart = {
  nothing: "No sample was recorded.",
  controls: (section) => {
    const options = [
      { value: "rss", text: "RSS" },
      { value: "working_set", text: "working set" },
    ].filter(({ value }) =>
      section.cells.some((cell) => cell.memory[value as "rss" | "working_set"].length > 0),
    );
    return [{ name: "kind", label: "Kind of memory", options, initial: options[0]?.value ?? "rss" }];
  },
  draw({ cells, colour, width, state }) {
    const kind = state["kind"] === "working_set" ? "working_set" : "rss";
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
