// The chart of the page of a rollout.
import { mount } from "../charts/mount";
import { element } from "../dom";
import { readRolloutData } from "./data";
import { lives } from "./lives";
import { times } from "./times";

/** Sets up the page. Returns what redraws the chart to fit its width; null on other pages. */
export function rolloutPage(document: Document): (() => void) | null {
  const data = readRolloutData(document);
  const figure = document.querySelector<HTMLElement>("figure[data-chart=rollout]");
  if (!data || !figure) return null;
  const plot = element("div", { class: "plot" });
  figure.append(plot);
  return () => {
    const width = Math.floor(plot.clientWidth);
    if (width === 0) return;
    const drawn = [times(data, width), lives(data, width)].filter((it) => it !== null);
    const nothing = element("p", { class: "nothing" }, "No request was sent.");
    mount(plot, ...(drawn.length > 0 ? drawn : [nothing]));
  };
}
