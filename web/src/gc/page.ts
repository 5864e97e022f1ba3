// The charts of the page of a garbage collection log.
import { element } from "../dom";
import { causes } from "./causes";
import type { GcData } from "./data";
import { readGcData } from "./data";
import { heap } from "./heap";
import { pauses } from "./pauses";

type GcChart = (data: GcData, width: number) => SVGSVGElement | HTMLElement | null;

const CHARTS: Record<string, { draw: GcChart; nothing: string }> = {
  "gc-heap": { draw: heap, nothing: "The log does not say how full the heap was." },
  "gc-pauses": { draw: pauses, nothing: "The log tells no pauses." },
  "gc-causes": { draw: causes, nothing: "The log tells no pauses." },
};

/** What draws the charts again at the width that they have then; null when this is another page. */
export function gcPage(document: Document): (() => void) | null {
  const data = readGcData(document);
  if (!data) return null;
  const drawn = [...document.querySelectorAll<HTMLElement>("figure[data-chart]")].flatMap((figure) => {
    const chart = CHARTS[figure.dataset["chart"] ?? ""];
    if (!chart) return [];
    const plot = element("div", { class: "plot" });
    figure.append(plot);
    return [{ plot, ...chart }];
  });
  return () => {
    for (const { plot, draw, nothing } of drawn) {
      const width = Math.floor(plot.clientWidth);
      if (width === 0) continue;
      plot.replaceChildren(draw(data, width) ?? element("p", { class: "nothing" }, nothing));
    }
  };
}
