// Answers a second over a phase.
import { rateTick } from "../units";
import { bands } from "./band";
import type { Chart } from "./chart";
import { phaseControl } from "./chart";

export const throughput: Chart = {
  nothing: "No histogram was recorded for this phase.",
  controls: (section) => [
    phaseControl(section, ["closed", "open"], (cell, phase) =>
      cell.throughput.some((series) => series.phase === phase && series.band.length > 0),
    ),
  ],
  draw({ cells, colour, width, state }) {
    const series = cells.flatMap(({ variant, throughput }) =>
      throughput
        .filter(({ phase }) => phase === state["phase"])
        .map(({ band }) => ({ variant, band })),
    );
    return bands(series, {
      label: "Throughput over time",
      width,
      colour,
      format: rateTick,
      xLabel: "since the phase began",
    });
  },
};
