// Small helpers over the DOM.

/** An element with attributes and children; `class` and `aria-*` as written in HTML. */
export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Record<string, string> = {},
  ...children: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  node.append(...children);
  return node;
}

/** A row of buttons of which one is pressed. */
export function choice<T extends string>(
  label: string,
  options: { value: T; text: string }[],
  chosen: T,
  onChoose: (value: T) => void,
): HTMLElement {
  const group = element("div", { class: "choice", role: "group", "aria-label": label });
  for (const { value, text } of options) {
    const button = element("button", { type: "button" }, text);
    button.setAttribute("aria-pressed", String(value === chosen));
    button.addEventListener("click", () => {
      for (const other of group.children) other.setAttribute("aria-pressed", "false");
      button.setAttribute("aria-pressed", "true");
      onChoose(value);
    });
    group.append(button);
  }
  return group;
}
