// Paper: light, every panel shown, everything unfolded.

/** `redraw` is called when the page has its width on paper, and when it has its own again. */
export function printing(redraw: () => void): void {
  const root = document.documentElement;
  let theme: string | undefined;
  let unfolded: HTMLDetailsElement[] = [];
  window.addEventListener("beforeprint", () => {
    theme = root.dataset["theme"];
    root.dataset["theme"] = "light";
    root.classList.add("printing");
    unfolded = [...document.querySelectorAll("details")].filter((fold) => !fold.open);
    for (const fold of unfolded) fold.open = true;
    redraw();
  });
  window.addEventListener("afterprint", () => {
    if (theme === undefined) delete root.dataset["theme"];
    else root.dataset["theme"] = theme;
    root.classList.remove("printing");
    for (const fold of unfolded) fold.open = false;
    redraw();
  });
}
