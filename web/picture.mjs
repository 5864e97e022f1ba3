// A chart of a page as a picture, for a README: node web/picture.mjs PAGE.html CHART PICTURE.png
// [WIDTH [VARIANT,VARIANT]] CHART is the name of a figure in the page (`gc-heap`); a name that is
// not there is answered with those that are; `page` is the first screen and a half. With variants
// only these are drawn, and named in the picture. Another browser: CHROMIUM=/path/to/chromium.
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [page, chart, picture, width = "900", variants = ""] = process.argv.slice(2);
if (!picture || !existsSync(page)) {
  console.error("usage: node web/picture.mjs PAGE.html CHART PICTURE.png [WIDTH [VARIANT,VARIANT]]");
  process.exit(2);
}
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
const opened = await browser.newPage({ viewport: { width: Number(width), height: 900 }, colorScheme: "light" });
await opened.goto(pathToFileURL(resolve(page)).href);
const wanted = variants.split(",").filter((variant) => variant !== "");
if (wanted.length > 0) {
  for (const chip of await opened.locator(".legend button:visible").all()) {
    if (!wanted.includes((await chip.innerText()).trim())) await chip.click();
  }
}
if (chart === "page") {
  await opened.setViewportSize({ width: Number(width), height: Math.round(Number(width) * 1.2) });
  await opened.screenshot({ path: picture, animations: "disabled" });
  await browser.close();
  process.exit(0);
}
const figures = opened.locator("figure[data-chart]:visible");
const names = await figures.evaluateAll((all) => all.map((one) => one.dataset.chart));
const place = names.indexOf(chart);
if (place < 0) {
  console.error(`${page} has no chart ${chart}; it has ${[...new Set(names)].join(", ") || "none"}`);
} else {
  // Buttons are of no use in a picture.
  await figures.nth(place).locator(".choice").evaluateAll((bars) => bars.forEach((bar) => bar.remove()));
  if (wanted.length > 0) {
    // The chips stand above all charts; a picture of one has to say whose lines it shows.
    await figures.nth(place).evaluate((figure) => {
      const names = document.createElement("p");
      for (const chip of document.querySelectorAll('.legend button[aria-pressed="true"]')) {
        if (chip.checkVisibility()) {
          const name = document.createElement("span");
          name.style.marginRight = "1.5em";
          const swatch = chip.querySelector(".swatch").cloneNode();
          swatch.style.cssText += "; display: inline-block; width: 0.8em; height: 0.8em; margin-right: 0.4em";
          name.append(swatch, chip.innerText);
          names.append(name);
        }
      }
      figure.append(names);
    });
  }
  await figures.nth(place).screenshot({ path: picture, animations: "disabled" });
}
await browser.close();
process.exit(place < 0 ? 1 : 0);
