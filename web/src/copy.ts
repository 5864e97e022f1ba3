// Copy buttons beside command lines.

/**
 * Copies; falls back to a selection where the page has no clipboard, as from some file:// pages.
 */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.style.position = "fixed";
    area.style.opacity = "0";
    document.body.append(area);
    area.select();
    const copied = document.execCommand("copy");
    area.remove();
    return copied;
  }
}

/** Gives every `.copyable` a button that copies its `pre`. */
export function copyButtons(root: ParentNode): void {
  for (const block of root.querySelectorAll<HTMLElement>(".copyable")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const done = await copy(block.querySelector("pre")?.textContent ?? "");
      button.textContent = done ? "Copied" : "Select and press Ctrl+C";
      setTimeout(() => (button.textContent = "Copy"), 2000);
    });
    block.append(button);
  }
}
