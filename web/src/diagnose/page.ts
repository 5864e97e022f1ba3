// The flame graphs of the page of a diagnosis or a profile: which cost, which build, where, and
// what is searched for.
import type { Frame, Graph, View } from "../charts/flame";
import { draw, framesFound, layOut, neighbour, search, size, tree, zoomedFor } from "../charts/flame";
import { choice, element } from "../dom";
import { bytes, milliseconds } from "../units";
import type { FlameData } from "./data";
import { readFlames } from "./data";

/** Sets up the page. Returns what redraws the graph to fit its width; null on other pages. */
export function diagnosePage(document: Document): (() => void) | null {
  const data = readFlames(document);
  const figure = document.querySelector<HTMLElement>("figure[data-chart=flame]");
  if (!data || !figure) return null;
  const view = new FlameView(figure, data);
  return () => view.draw();
}

const KEYS: Record<string, [swatch: string, text: string][]> = {
  one: [
    ["own", "own code"],
    ["library", "libraries"],
    ["platform", "JDK and system"],
    ["what", "what is waited for or allocated"],
  ],
  difference: [
    ["more", "more in the candidate"],
    ["less", "less"],
  ],
};

class FlameView {
  private graph!: Graph;
  private frames: Frame[] = [];
  private view: View;
  private zoomed!: Frame;
  private current!: Frame;
  private wanted = "";
  private readonly plot = element("div", {
    class: "plot flame",
    tabindex: "0",
    role: "application",
    "aria-label": "Flame graph: arrow keys walk, Enter zooms, Escape goes back",
  });
  private readonly told = element("p", { class: "told", "aria-live": "polite" });
  private readonly keys = element("ul", { class: "keys" });
  private readonly sum = element("span", { class: "sum", role: "status" });
  private readonly back = element("button", { type: "button", class: "back" }, "Zoom out");

  constructor(
    figure: HTMLElement,
    private readonly data: FlameData,
  ) {
    this.view = data.compared ? "difference" : "candidate";
    const controls = element("div", { class: "controls" });
    const titles = data.graphs.map((graph, i) => ({ value: String(i), text: graph.title }));
    controls.append(choice("Cost", titles, "0", (i) => this.show(Number(i))));
    if (data.compared) {
      const views = [
        { value: "difference" as View, text: "Difference" },
        { value: "candidate" as View, text: "Candidate" },
        { value: "baseline" as View, text: "Baseline" },
      ];
      controls.append(
        choice("Build", views, this.view, (view) => {
          this.view = view;
          this.zoom(size(this.zoomed, view) > 0 ? this.zoomed : this.whole());
        }),
      );
    }
    const input = element("input", { type: "search", placeholder: "Search frames", "aria-label": "Search frames" });
    input.addEventListener("input", () => {
      this.wanted = input.value;
      this.draw();
    });
    controls.append(input, this.sum, this.back);
    this.back.addEventListener("click", () => {
      this.zoom(this.whole());
      this.plot.focus();
    });
    figure.append(controls, this.keys, this.plot, this.told);
    this.listen();
    this.show(0);
  }

  draw(): void {
    const width = Math.floor(this.plot.clientWidth);
    if (width === 0) return;
    const { found, baseline, candidate } = search(this.frames, this.wanted);
    const most = Math.max(...this.frames.map((frame) => Math.abs(frame.candidate - frame.baseline)));
    const boxes = layOut(this.zoomed, this.view, width);
    const nothing = element("p", { class: "nothing" }, "This build spends nothing here.");
    const drawn = size(this.whole(), this.view) > 0;
    this.plot.replaceChildren(drawn ? draw(boxes, this.view, width, found, most) : nothing);
    this.mark();
    this.sum.textContent = this.wanted.trim() === "" ? "" : found.size === 0 ? "none" : `${framesFound(found.size)}, ${this.both(baseline, candidate)}`;
    this.back.hidden = this.zoomed === this.whole();
    const kinds = new Set(this.graph.names.map(([, whose]) => whose as string));
    const keys = this.view === "difference" ? KEYS["difference"] : KEYS["one"]?.filter(([whose]) => kinds.has(whose));
    this.keys.replaceChildren(
      ...(keys ?? []).map(([swatch, text]) => element("li", {}, element("span", { class: `swatch ${swatch}` }), text)),
    );
    if (this.view === "difference") {
      this.keys.append(element("li", {}, "as wide as in the candidate; what only the baseline has is in its own graph; own code is bold"));
    }
  }

  private whole(): Frame {
    return this.frames[0]!;
  }

  private show(i: number): void {
    this.graph = this.data.graphs[i]!;
    this.frames = tree(this.graph);
    this.zoom(this.whole());
  }

  private zoom(frame: Frame): void {
    this.zoomed = frame;
    this.current = frame;
    this.draw();
    this.tell(frame);
  }

  private listen(): void {
    const under = (event: Event) => {
      const group = (event.target as Element).closest("[data-frame]");
      return group ? this.frames[Number(group.getAttribute("data-frame"))] : undefined;
    };
    this.plot.addEventListener("pointerover", (event) => {
      const frame = under(event);
      if (frame) this.tell(frame);
    });
    this.plot.addEventListener("pointerleave", () => this.tell(this.current));
    this.plot.addEventListener("click", (event) => {
      const frame = under(event);
      if (frame) this.zoom(frame);
    });
    this.plot.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.zoom(this.current);
      else if (event.key === "Escape") this.zoom(this.zoomed.caller ?? this.zoomed);
      else {
        const next = neighbour(this.current, event.key, this.view);
        // Arrows walk within what is zoomed into, or leave it.
        if (!next) return void (event.key.startsWith("Arrow") && event.preventDefault());
        const zoomed = zoomedFor(next, this.zoomed);
        if (zoomed !== this.zoomed) this.zoom(zoomed);
        this.current = next;
        this.mark();
        this.tell(next);
      }
      event.preventDefault();
    });
  }

  /** The frame where the keyboard is. */
  private mark(): void {
    this.plot.querySelector(".current")?.classList.remove("current");
    const group = this.plot.querySelector(`[data-frame="${this.current.index}"]`);
    group?.classList.add("current");
    if (document.activeElement === this.plot) group?.scrollIntoView({ block: "nearest" });
  }

  private tell(frame: Frame): void {
    this.told.replaceChildren(element("strong", {}, frame.name === "all" ? this.graph.title : frame.name), ` ${this.both(frame.baseline, frame.candidate)}`);
  }

  private both(baseline: number, candidate: number): string {
    const show = (cost: number) => (this.graph.unit === "ms" ? milliseconds(cost) : bytes(cost));
    const of = (cost: number, whole: number) => (whole > 0 ? `${show(cost)} (${((cost / whole) * 100).toFixed(1)} %)` : show(cost));
    const whole = this.whole();
    const now = of(candidate, whole.candidate);
    if (!this.data.compared) return this.data.per_request ? `${now} a request` : now;
    const more = candidate - baseline;
    return `candidate ${now}, baseline ${of(baseline, whole.baseline)}, ${more < 0 ? "−" : "+"}${show(Math.abs(more))} a request`;
  }
}
