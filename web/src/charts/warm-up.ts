// How users were served second by second, after each warm-up.
import { milliseconds } from "../units";
import { bands } from "./band";
import type { Chart } from "./chart";

const QUANTILES = [
  { value: "p99", text: "p99" },
  { value: "p50", text: "median" },
];

export const warmUp: Chart = {
  nothing: "No histogram was recorded while users were served.",
  controls: () => [{ name: "quantile", label: "Quantile", options: QUANTILES, initial: "p99" }],
  draw({ cells, colour, width, state }) {
    const quantile = state["quantile"] === "p50" ? "p50" : "p99";
    const series = cells.map(({ variant, warm_up }) => ({ variant, band: warm_up[quantile] }));
    return bands(series, {
      label: "Users' response times, second by second",
      width,
      colour,
      format: milliseconds,
      xLabel: "since users came",
      isLogarithmic: true,
    });
  },
};
