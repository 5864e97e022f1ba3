// Folding of the rows of a tree: a button before each row that has others below it. Without
// JavaScript all of them are seen.
import { element } from "../dom";

/** Rows of a table, each with its depth. */
export interface Row {
  depth: number;
  /** What is below it is not seen. */
  folded: boolean;
}

/** Which rows are seen: those that have no folded row above them. */
export function seen(rows: Row[]): boolean[] {
  let hiddenBelow = Infinity;
  return rows.map((row) => {
    if (row.depth <= hiddenBelow) hiddenBelow = Infinity;
    const visible = hiddenBelow === Infinity;
    if (visible && row.folded) hiddenBelow = row.depth;
    return visible;
  });
}

/** Whether others are below a row. */
export function hasBelow(rows: Row[], place: number): boolean {
  const [row, next] = [rows[place], rows[place + 1]];
  return row !== undefined && next !== undefined && next.depth > row.depth;
}

/** Gives every tree of the page its buttons. */
export function foldTrees(document: Document): void {
  for (const table of document.querySelectorAll<HTMLTableElement>("table[data-tree]")) {
    const lines = [...table.tBodies[0]!.rows];
    const rows: Row[] = lines.map((line) => ({ depth: Number(line.dataset["depth"]), folded: false }));
    const show = () => {
      for (const [i, visible] of seen(rows).entries()) lines[i]!.hidden = !visible;
    };
    for (const [i, line] of lines.entries()) {
      if (!hasBelow(rows, i)) continue;
      const name = line.querySelector(".name")?.textContent ?? "";
      const button = element("button", { type: "button", class: "fold", "aria-expanded": "true", "aria-label": `What ${name} calls` });
      button.addEventListener("click", () => {
        const row = rows[i]!;
        row.folded = !row.folded;
        button.setAttribute("aria-expanded", String(!row.folded));
        show();
      });
      line.cells[0]!.prepend(button);
    }
  }
}
