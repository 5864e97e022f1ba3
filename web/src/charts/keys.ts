// What the marks of a chart mean: swatches with names, above the plot.
import { element } from "../dom";

export interface Key {
  name: string;
  colour: string;
  /** Of an area; a line is opaque. */
  opacity?: number;
  dashed?: boolean;
}

/** The plot with its keys; null without a plot. */
export function withKeys(keys: Key[], plot: SVGSVGElement | HTMLElement | null): HTMLElement | null {
  if (!plot) return null;
  const list = element("ul", { class: "keys" });
  for (const { name, colour, opacity, dashed } of keys) {
    const swatch = element("span", { class: dashed ? "swatch dashed" : "swatch" });
    swatch.style.setProperty("--swatch", colour);
    if (opacity !== undefined) swatch.style.opacity = String(opacity);
    list.append(element("li", {}, swatch, name));
  }
  return element("div", {}, list, plot);
}
