// What a chart is: a function from a section's data to an SVG element.
import type { Cell, Phase, Section } from "../data";

/** What the reader chose for one chart, by the name of the control. */
export type ChartState = Record<string, string>;

export interface Control {
  name: string;
  label: string;
  options: { value: string; text: string }[];
  initial: string;
}

export interface Drawing {
  /** The variants that are shown. */
  cells: Cell[];
  section: Section;
  colour: (variant: string) => string;
  /** In CSS pixels. */
  width: number;
  state: ChartState;
  /** Which of several charts of the same kind. */
  index: number;
}

export interface Chart {
  /** Switches above the chart; those with one option are not shown. */
  controls?: (section: Section) => Control[];
  /** Null when there is nothing to draw. */
  draw: (drawing: Drawing) => SVGSVGElement | HTMLElement | null;
  /** Said instead of the chart when there is nothing to draw. */
  nothing: string;
}

/**
 * A choice among the phases for which `has` finds data, beginning with the first of the wanted
 * kinds.
 */
export function phaseControl(
  section: Section,
  wanted: Phase["kind"][],
  has: (cell: Cell, phase: string) => boolean,
): Control {
  const phases = section.phases.filter(({ label }) => section.cells.some((cell) => has(cell, label)));
  const first = wanted.flatMap((kind) => phases.filter((phase) => phase.kind === kind))[0];
  return {
    name: "phase",
    label: "Phase",
    options: phases.map(({ label }) => ({ value: label, text: label })),
    initial: (first ?? phases[0])?.label ?? "",
  };
}
