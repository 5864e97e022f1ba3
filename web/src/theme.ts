// Light or dark: as the system says, until the reader chooses.

/**
 * Makes the button in the header work. Charts follow by themselves: their colours are CSS
 * variables.
 */
export function themeSwitch(button: HTMLElement | null): void {
  if (!button) return;
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const root = document.documentElement;
  const isDark = () => (root.dataset["theme"] ?? (system.matches ? "dark" : "light")) === "dark";
  const name = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to the ${isDark() ? "light" : "dark"} theme`);
  };
  button.hidden = false;
  button.addEventListener("click", () => {
    root.dataset["theme"] = isDark() ? "light" : "dark";
    name();
  });
  system.addEventListener("change", name);
  name();
}
