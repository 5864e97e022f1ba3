// Drives the page of a garbage collection log in headless Chromium as a reader would:
//   npm run test:browser:gc -- path/to/gc.html [folder for screenshots]
// The log must tell how full the heap was. Another browser: CHROMIUM=/path/to/chromium. The exit
// code is 1 when anything is wrong.
import {
  charts,
  checkDrawn,
  checkAccess,
  checkLayout,
  checkTheme,
  expect,
  finish,
  launch,
  open,
  shoot,
  SIZES,
  subject,
  wrong,
} from "./watched.mjs";

const { url, screenshots } = subject("npm run test:browser:gc -- path/to/gc.html [folder for screenshots]");

/**
 * The colours of the heap's chart at these points, read from a screenshot by a page of its own:
 * that of the log lets nothing in.
 */
async function colours(browser, page, points) {
  const svg = await page.$("figure[data-chart=gc-heap] .plot svg");
  const png = (await svg.screenshot({ animations: "disabled" })).toString("base64");
  const context = await browser.newContext();
  const reader = await context.newPage();
  const read = await reader.evaluate(
    async ({ png, points }) => {
      const image = new Image();
      image.src = `data:image/png;base64,${png}`;
      await image.decode();
      const drawing = new OffscreenCanvas(image.width, image.height).getContext("2d");
      drawing.drawImage(image, 0, 0);
      return points.map(([x, y]) => Array.from(drawing.getImageData(Math.round(x), Math.round(y), 1, 1).data.slice(0, 3)));
    },
    { png, points },
  );
  await context.close();
  return read;
}

function isAlike(a, b) {
  return a.every((value, i) => Math.abs(value - b[i]) <= 6);
}

/**
 * Below the curve of what was used there is a tint, from the axis up to the curve and no higher.
 */
async function checkFill(browser, page, where) {
  const area = await page.$eval("figure[data-chart=gc-heap] .plot svg", (svg) => {
    const frame = svg.getBoundingClientRect();
    const box = svg.querySelector("[data-mark=area] path").getBoundingClientRect();
    return {
      left: box.left - frame.left,
      right: box.right - frame.left,
      top: box.top - frame.top,
      bottom: box.bottom - frame.top,
    };
  });
  const columns = [];
  for (let x = area.left + 4; x < area.right - 4; x += (area.right - area.left) / 61) columns.push(x);
  const at = (y) => columns.map((x) => [x, y]);
  const [corner, top] = [[area.left + 3, area.top - 6], area.top - 6];
  const seen = columns.length;
  const [ground, ...read] = await colours(browser, page, [corner, ...at(area.bottom - 4), ...at(top)]);
  const tinted = (some) => some.filter((colour) => !isAlike(colour, ground)).length;
  const [filled, above] = [tinted(read.slice(0, seen)), tinted(read.slice(seen))];
  expect(filled > 0.9 * seen, `${where}: the heap is filled in ${filled} of ${seen} places above the axis`);
  // What is committed may cross there.
  expect(above < 0.5 * seen, `${where}: the fill of the heap goes beyond its curve in ${above} of ${seen} places`);
}

const browser = await launch();
try {
  for (const [name, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `gc, ${name}, ${colorScheme}`;
      const page = await open(browser, url, { viewport, colorScheme }, where);
      await checkLayout(page, where);
      const shown = await charts(page, ".panel.shown");
      const names = shown.map((chart) => chart.name).join(", ");
      expect(names === "gc-heap, gc-pauses, gc-causes", `${where}: the charts are ${names}`);
      expect(
        shown.every((chart) => chart.marks > 3),
        `${where}: not every chart is drawn`,
      );
      checkDrawn(shown, where);
      await checkFill(browser, page, where);
      await shoot(page, screenshots, `gc-${name}-${colorScheme}`);
      await checkAccess(page, where);
      await checkTheme(page, where);
      await page.context().close();
    }
  }
  const page = await open(browser, url, { javaScriptEnabled: false }, "gc without JavaScript");
  for (const [selector, what] of [
    [".advice", "the sentence"],
    ["#pauses tbody td", "the table of pauses"],
    ["#heap tbody td", "the table of the heap"],
  ]) {
    expect(await page.locator(selector).first().isVisible(), `gc without JavaScript: ${what} is not seen`);
  }
} catch (error) {
  // A page so broken that it cannot be driven any further.
  wrong.push(String(error?.message ?? error).split("\n")[0]);
} finally {
  await browser.close();
}
finish();
