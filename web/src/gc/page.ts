// The charts of the page of a garbage collection log, or of two.
import { mount } from "../charts/mount";
import { element } from "../dom";
import { causes } from "./causes";
import { type GcData, readGcData } from "./data";
import { heap } from "./heap";
import { pauses } from "./pauses";
import { moved, type View, zoomed } from "./view";

type GcChart = (data: GcData, width: number, view: View) => SVGSVGElement | HTMLElement | null;

const CHARTS: Record<string, { draw: GcChart; nothing: string }> = {
  "gc-heap": { draw: heap, nothing: "The log does not say how full the heap was." },
  "gc-pauses": { draw: pauses, nothing: "The log has no pauses." },
  "gc-causes": { draw: causes, nothing: "The log has no pauses." },
};
/** Dragging over more pixels than this zooms; less counts as a click. */
const DRAGGED = 6;

/** A log with the part of it that is in view, over all of its charts. */
class Shown {
  readonly whole: number;
  view: View;

  constructor(
    readonly data: GcData,
    readonly changed: () => void,
  ) {
    this.whole = Math.max(data.duration_s, data.bucket_s);
    this.view = { from: 0, to: this.whole, maximum: false };
  }

  show(view: View): void {
    this.view = view;
    this.changed();
  }

  /** Buttons that zoom and move, for those who have no mouse, too. */
  controls(): HTMLElement {
    const bar = element("div", { class: "choice", role: "group", "aria-label": "Part of the log" });
    const middle = (): number => (this.view.from + this.view.to) / 2;
    for (const [text, label, next] of [
      ["−", "Zoom out", () => zoomed(this.view, 2, middle(), this.whole)],
      ["+", "Zoom in", () => zoomed(this.view, 0.5, middle(), this.whole)],
      ["←", "Earlier", () => moved(this.view, -0.5, this.whole)],
      ["→", "Later", () => moved(this.view, 0.5, this.whole)],
      ["whole log", "Whole log", () => ({ ...this.view, from: 0, to: this.whole })],
    ] as [string, string, () => View][]) {
      const button = element("button", { type: "button", "aria-label": label }, text);
      button.addEventListener("click", () => this.show(next()));
      bar.append(button);
    }
    if (this.data.max_heap_bytes === null) return bar;
    const maximum = element("button", { type: "button", "aria-pressed": "false" }, "largest heap allowed");
    maximum.addEventListener("click", () => {
      this.show({ ...this.view, maximum: !this.view.maximum });
      maximum.setAttribute("aria-pressed", String(this.view.maximum));
    });
    bar.append(maximum);
    return bar;
  }

  /** Drawing over a stretch of a chart zooms into it, two clicks show the whole log. */
  watch(plot: HTMLElement): void {
    let began: number | null = null;
    const at = (event: PointerEvent): number | null => {
      const svg = plot.querySelector("svg");
      if (!svg) return null;
      // The margins of the charts over time.
      const box = svg.getBoundingClientRect();
      const share = (event.clientX - box.left - 66) / Math.max(1, box.width - 66 - 18);
      return this.view.from + Math.min(1, Math.max(0, share)) * (this.view.to - this.view.from);
    };
    let x = 0;
    plot.addEventListener("pointerdown", (event) => {
      began = at(event);
      x = event.clientX;
    });
    plot.addEventListener("pointerup", (event) => {
      const ended = at(event);
      if (began !== null && ended !== null && Math.abs(event.clientX - x) > DRAGGED) {
        this.show({ ...this.view, from: Math.min(began, ended), to: Math.max(began, ended) });
      }
      began = null;
    });
    plot.addEventListener("dblclick", () => this.show({ ...this.view, from: 0, to: this.whole }));
  }
}

/** Sets up the page. Returns what redraws the charts to fit their width; null on other pages. */
export function gcPage(document: Document): (() => void) | null {
  const logs = readGcData(document);
  if (!logs) return null;
  const draw = (): void => {
    for (const { plot, chart, log } of drawn) {
      const width = Math.floor(plot.clientWidth);
      if (width === 0) continue;
      const made = chart.draw(log.data, width, log.view);
      mount(plot, made ?? element("p", { class: "nothing" }, chart.nothing));
    }
  };
  const shown = logs.map((data) => new Shown(data, draw));
  const drawn = [...document.querySelectorAll<HTMLElement>("figure[data-chart]")].flatMap((figure) => {
    const name = figure.dataset["chart"] ?? "";
    const chart = CHARTS[name];
    const log = shown[Number(figure.dataset["log"] ?? "0")];
    if (!chart || !log) return [];
    const plot = element("div", { class: "plot" });
    if (name === "gc-heap") figure.append(log.controls());
    figure.append(plot);
    if (name !== "gc-causes") log.watch(plot);
    return [{ plot, chart, log }];
  });
  return draw;
}
