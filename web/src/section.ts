// The charts under one set of limits: they share the choice of variants.
import type { Chart, ChartState } from "./charts/chart";
import type { Section } from "./data";
import { mount } from "./charts/mount";
import { colour } from "./charts/style";
import { choice, element } from "./dom";

interface Drawn {
  chart: Chart;
  figure: HTMLElement;
  plot: HTMLElement;
  state: ChartState;
  index: number;
}

export class SectionView {
  private readonly drawn: Drawn[] = [];
  private readonly hidden = new Set<string>();

  constructor(
    private readonly panel: HTMLElement,
    private readonly section: Section,
    private readonly variants: string[],
    charts: Record<string, Chart>,
  ) {
    for (const figure of panel.querySelectorAll<HTMLElement>("figure[data-chart]")) {
      const chart = charts[figure.dataset["chart"] ?? ""];
      if (chart) this.addChart(figure, chart);
    }
    this.legend();
  }

  /** Draws what is visible, at the width it has now. */
  draw(): void {
    for (const drawn of this.drawn) this.drawOne(drawn);
  }

  private addChart(figure: HTMLElement, chart: Chart): void {
    const controls = element("div", { class: "controls" });
    const plot = element("div", { class: "plot" });
    const state: ChartState = {};
    const index = Number(figure.dataset["index"] ?? 0);
    const drawn: Drawn = { chart, figure, plot, state, index };
    for (const control of chart.controls?.(this.section) ?? []) {
      state[control.name] = control.initial;
      if (control.options.length < 2) continue;
      controls.append(
        choice(control.label, control.options, control.initial, (value) => {
          state[control.name] = value;
          this.drawOne(drawn);
        }),
      );
    }
    if (controls.childElementCount > 0) figure.append(controls);
    figure.append(plot);
    this.drawn.push(drawn);
  }

  private drawOne({ chart, plot, state, index }: Drawn): void {
    const width = Math.floor(plot.clientWidth);
    if (width === 0) return;
    const cells = this.section.cells.filter((cell) => !this.hidden.has(cell.variant));
    const say = (text: string) => element("p", { class: "nothing" }, text);
    try {
      const drawn = chart.draw({
        cells,
        section: this.section,
        colour: (variant) => colour(this.variants.indexOf(variant)),
        width,
        state,
        index,
      });
      mount(plot, drawn ?? say(cells.length > 0 ? chart.nothing : "Every variant is hidden."));
    } catch (error) {
      // One chart that fails must not take the others with it.
      console.error(error);
      plot.replaceChildren(say("This chart could not be drawn; the tables hold its numbers."));
    }
  }

  /** The chips that hide and show variants in all charts of the section. */
  private legend(): void {
    const legend = this.panel.querySelector<HTMLElement>(".legend");
    if (!legend || this.section.cells.length === 0) return;
    for (const { variant } of this.section.cells) {
      const swatch = element("span", { class: "swatch" });
      swatch.style.background = colour(this.variants.indexOf(variant));
      const chip = element("button", { type: "button", "aria-pressed": "true" }, swatch, variant);
      chip.title = `Hide or show ${variant} in the charts`;
      chip.addEventListener("click", () => {
        if (!this.hidden.delete(variant)) this.hidden.add(variant);
        chip.setAttribute("aria-pressed", String(!this.hidden.has(variant)));
        this.draw();
      });
      legend.append(chip);
    }
  }
}
