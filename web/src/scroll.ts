// Tables and texts wider than their place can be moved by the keyboard; tables show that there is
// more of them.

/** Looks whenever their size changes: at first, in another window, when they are unfolded. */
export function whatIsCut(document: Document): void {
  const observer = new ResizeObserver((changed) => {
    for (const { target } of changed) mark(target as HTMLElement);
  });
  for (const box of document.querySelectorAll<HTMLElement>(".scroll, pre")) observer.observe(box);
}

function mark(box: HTMLElement): void {
  const isCut = box.scrollWidth > box.clientWidth + 1;
  box.classList.toggle("cut", isCut);
  if (!isCut) {
    for (const name of ["tabindex", "role", "aria-label"]) box.removeAttribute(name);
    return;
  }
  box.tabIndex = 0;
  box.setAttribute("role", "region");
  box.setAttribute("aria-label", `${box.matches("pre") ? "Text" : "Table"}: ${title(box)}`);
}

/**
 * What it is called: its caption, else what stands before it. What is folded is named by what it
 * belongs to as well: each variant has its own `Command`.
 */
function title(box: HTMLElement): string {
  const caption = box.querySelector("caption")?.textContent?.trim();
  if (caption) return caption;
  const names: string[] = [];
  for (let at: Element | null = box; at; at = at.parentElement) {
    for (let before = at.previousElementSibling; before; before = before.previousElementSibling) {
      if (!/^(H[1-6]|SUMMARY)$/.test(before.tagName)) continue;
      names.unshift(before.textContent?.trim() ?? "");
      if (before.tagName !== "SUMMARY") return names.join(", ");
      break;
    }
  }
  return names.join(", ");
}
