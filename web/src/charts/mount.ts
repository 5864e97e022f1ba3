// Puts charts into the page, with names that screen readers can read out.

/**
 * A chart is one image, named after its figure: its parts mean nothing in a screen reader, and the
 * numbers are in the tables. Observable Plot labels groups that have no role, which ARIA
 * does not allow (https://www.w3.org/TR/wai-aria-1.2/#prohibitedattributes); their labels stay as
 * `data-mark`.
 */
export function mount(plot: HTMLElement, ...drawn: Element[]): void {
  const title = plot.closest("figure")?.querySelector("figcaption :is(h2, h3)")?.textContent ?? "Chart";
  for (const drawing of drawn) {
    const pictures = drawing instanceof SVGSVGElement ? [drawing] : [...drawing.querySelectorAll("svg")];
    for (const picture of pictures) {
      for (const part of picture.querySelectorAll<SVGElement>("[aria-label]:not([role])")) {
        part.dataset["mark"] = part.getAttribute("aria-label") ?? "";
        part.removeAttribute("aria-label");
      }
      // What takes the keyboard has a role of its own.
      if (picture.hasAttribute("role")) continue;
      picture.setAttribute("role", "img");
      picture.setAttribute("aria-label", title);
    }
  }
  plot.replaceChildren(...drawn);
}
