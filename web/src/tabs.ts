// One tab for each set of limits. Without JavaScript all panels are shown one after another.

/** `onShow` is called with the panel that became visible. */
export function tabs(root: ParentNode, onShow: (panel: HTMLElement) => void): void {
  const list = root.querySelector<HTMLElement>("[role=tablist]");
  if (!list) return;
  const buttons = [...list.querySelectorAll<HTMLElement>("[role=tab]")];
  const panelOf = (tab: HTMLElement) =>
    document.getElementById(tab.getAttribute("aria-controls") ?? "");

  const select = (chosen: HTMLElement) => {
    for (const tab of buttons) {
      const on = tab === chosen;
      tab.setAttribute("aria-selected", String(on));
      tab.tabIndex = on ? 0 : -1;
      const panel = panelOf(tab);
      if (!panel) continue;
      panel.classList.toggle("shown", on);
      if (on) onShow(panel);
    }
  };
  for (const [i, tab] of buttons.entries()) {
    tab.addEventListener("click", () => select(tab));
    tab.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
      if (!step) return;
      const next = buttons[(i + step + buttons.length) % buttons.length];
      next?.focus();
      next?.click();
    });
  }
  const first = buttons[0];
  if (first) select(first);
}
