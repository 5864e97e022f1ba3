"use strict";

document.addEventListener("DOMContentLoaded", () => {
    const rows = Array.from(document.querySelectorAll(".nights tr")).slice(1);
    const table = document.querySelector(".nights");
    if (!table || rows.length === 0) {
        return;
    }
    const toggle = document.createElement("button");
    toggle.type = "button";
    toggle.textContent = "Only free nights";
    toggle.setAttribute("aria-pressed", "false");
    toggle.addEventListener("click", () => {
        const only = toggle.getAttribute("aria-pressed") !== "true";
        toggle.setAttribute("aria-pressed", String(only));
        for (const row of rows) {
            const taken = row.classList.contains("full") || row.classList.contains("closed");
            row.hidden = only && taken;
        }
    });
    table.before(toggle);
});
