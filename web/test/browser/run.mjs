// Drives a report in headless Chromium as a reader would:
//   npm run test:browser -- path/to/report.html [folder for screenshots]
// Another browser: CHROMIUM=/path/to/chromium. The exit code is 1 when anything is wrong.
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

const [report, screenshots] = process.argv.slice(2);
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
if (!report || !existsSync(report)) {
  console.error("usage: npm run test:browser -- path/to/report.html [folder for screenshots]");
  process.exit(2);
}
if (!existsSync(executablePath)) {
  console.error(`${executablePath} is missing: apt-get install chromium, or set CHROMIUM`);
  process.exit(2);
}
const url = pathToFileURL(resolve(report)).href;
const wrong = [];
let held = 0;

function expect(holds, what) {
  if (holds) held += 1;
  else wrong.push(what);
}

/** A page whose console, errors and requests are watched. */
async function open(browser, options, where) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) wrong.push(`${where}: console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`${where}: ${error.stack ?? error}`));
  page.on("request", (request) => {
    const to = request.url();
    if (to !== url && !to.startsWith("data:")) wrong.push(`${where}: the page asked for ${to}`);
  });
  await page.goto(url);
  return page;
}

/** Every chart of the panels that are shown: drawn, or saying why it is empty. */
async function checkCharts(page, where) {
  const charts = await page.$$eval(".panel.shown figure[data-chart]", (figures) =>
    figures.map((figure) => {
      const svg = figure.querySelector(".plot svg");
      const box = svg?.getBoundingClientRect();
      return {
        name: figure.dataset.chart,
        marks: svg?.querySelectorAll("path, circle, rect, line").length ?? 0,
        wide: box ? box.width : 0,
        sticksOut: box ? box.right > figure.getBoundingClientRect().right + 1 : false,
        says: figure.querySelector(".nothing")?.textContent ?? "",
        broken: svg ? /NaN|Infinity|undefined/.test(svg.outerHTML) : false,
      };
    }),
  );
  expect(charts.length === 7, `${where}: 7 charts are expected, there are ${charts.length}`);
  for (const chart of charts) {
    const drawn = chart.marks > 3 && chart.wide > 200;
    expect(drawn || chart.says, `${where}: chart ${chart.name} is neither drawn nor explained`);
    expect(!chart.sticksOut, `${where}: chart ${chart.name} sticks out of its frame`);
    expect(!chart.broken, `${where}: chart ${chart.name} holds NaN, Infinity or undefined`);
  }
  expect(
    charts.some((chart) => chart.marks > 3),
    `${where}: no chart at all is drawn`,
  );
}

async function checkLayout(page, where) {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over <= 0, `${where}: the page is ${over} px wider than the window`);
}

async function checkTabs(page, where) {
  const tabs = await page.$$("[role=tab]");
  for (const [i, tab] of tabs.entries()) {
    await tab.click();
    const shown = await page.$$eval(".panel", (panels) =>
      panels.map((panel) => getComputedStyle(panel).display !== "none"),
    );
    expect(
      shown.filter(Boolean).length === 1 && shown[i],
      `${where}: tab ${i + 1} does not show its panel alone`,
    );
    await checkCharts(page, `${where}, tab ${i + 1}`);
    await checkLayout(page, `${where}, tab ${i + 1}`);
  }
  if (tabs.length === 0) await checkCharts(page, where);
  if (tabs.length > 1) {
    await tabs[0].click();
    await page.keyboard.press("ArrowRight");
    const selected = await tabs[1].getAttribute("aria-selected");
    expect(selected === "true", `${where}: the arrow key does not go to the next tab`);
    await tabs[0].click();
  }
}

/** Every switch of every chart is pressed once; the chart must still be drawn. */
async function checkSwitches(page, where) {
  for (const button of await page.$$(".panel.shown .choice button")) {
    await button.click();
    const pressed = await button.getAttribute("aria-pressed");
    expect(pressed === "true", `${where}: a switch does not stay pressed`);
  }
  await checkCharts(page, `${where}, after all switches`);
}

async function checkLegend(page, where) {
  const chips = await page.$$(".panel.shown .legend button");
  expect(chips.length > 0, `${where}: the legend is empty`);
  if (chips.length < 2) return;
  const marks = () => page.$eval(".panel.shown [data-chart=start-up] .plot", (p) => p.innerHTML.length);
  const before = await marks();
  await chips[0].click();
  expect((await marks()) < before, `${where}: hiding a variant changes nothing`);
  await chips[0].click();
  expect((await marks()) === before, `${where}: showing it again does not bring it back`);
}

async function checkCopy(page, where) {
  const blocks = await page.$$("#variants .variant > .copyable");
  expect(blocks.length > 0, `${where}: no command line to copy`);
  for (const block of blocks) {
    const text = await block.$eval("pre", (pre) => pre.textContent);
    await (await block.$(".copy")).click();
    await page.waitForFunction((b) => b.querySelector(".copy").textContent === "Copied", block);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied === text, `${where}: the clipboard holds something else than the command line`);
  }
}

async function checkTheme(page, where) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.click("#theme");
  const after = await ground();
  expect(before !== after, `${where}: the switch of the theme changes nothing`);
  await page.click("#theme");
  expect((await ground()) === before, `${where}: the switch of the theme does not go back`);
}

/** Advice, certificate and tables are there without JavaScript. */
async function checkWithoutScript(browser) {
  const page = await open(browser, { javaScriptEnabled: false }, "without JavaScript");
  for (const [selector, what] of [
    [".advice", "the advice"],
    [".stamp strong", "the certificate"],
    [".overview tbody td", "the table"],
    ["#variants pre", "a command line"],
  ]) {
    expect(await page.locator(selector).first().isVisible(), `without JavaScript ${what} is not seen`);
  }
  const panels = await page.locator(".panel").count();
  const seen = await page.locator(".panel:visible").count();
  expect(panels === seen, "without JavaScript not every set of limits is seen");
  await page.context().close();
}

/** On paper every set of limits is shown, with its charts, dark on light, and no table is cut. */
async function checkPrint(browser) {
  const paper = { viewport: { width: 760, height: 1000 }, colorScheme: "dark" };
  const page = await open(browser, paper, "print");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const panels = await page.$$eval(".panel", (all) =>
    all.map((panel) => panel.querySelectorAll(".plot svg").length),
  );
  expect(
    panels.length > 0 && panels.every((charts) => charts > 0),
    `print: charts a set of limits: ${panels.join(", ")}`,
  );
  const cut = await page.$$eval(".overview", (tables) =>
    tables.filter((table) => table.scrollWidth > table.parentElement.clientWidth + 1).length,
  );
  expect(cut === 0, `print: ${cut} tables are wider than the paper`);
  const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(ground === "rgb(255, 255, 255)", `print: the paper is ${ground}`);
  await page.context().close();
}

async function shoot(page, name) {
  if (!screenshots) return;
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

const browser = await chromium.launch({
  executablePath,
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
});
try {
  for (const [name, viewport] of Object.entries({
    wide: { width: 1280, height: 900 },
    narrow: { width: 390, height: 800 },
  })) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `${name}, ${colorScheme}`;
      const permissions = ["clipboard-read", "clipboard-write"];
      const page = await open(browser, { viewport, colorScheme, permissions }, where);
      await checkLayout(page, where);
      await checkTabs(page, where);
      await shoot(page, `${name}-${colorScheme}`);
      await checkTheme(page, where);
      if (name === "wide") {
        await checkLegend(page, where);
        await checkSwitches(page, where);
        await checkCopy(page, where);
      }
      await page.context().close();
    }
  }
  await checkWithoutScript(browser);
  await checkPrint(browser);
} catch (error) {
  // A page so broken that it cannot be driven any further.
  wrong.push(String(error?.message ?? error).split("\n")[0]);
} finally {
  await browser.close();
}

for (const what of new Set(wrong)) console.error(`✗ ${what}`);
console.log(`${held} passed, ${wrong.length} failed`);
process.exit(wrong.length > 0 ? 1 : 0);
