// A browser whose pages are watched: their console, their errors, what they ask for.
import axe from "axe-core";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { chromium } from "playwright-core";

/** What was wrong. */
export const wrong = [];
let held = 0;

export function expect(holds, what) {
  if (holds) held += 1;
  else wrong.push(what);
}

/** The page that is named on the command line, and where screenshots go. */
export function subject(usage) {
  const [page, screenshots] = process.argv.slice(2);
  if (!page || !existsSync(page)) {
    console.error(`usage: ${usage}`);
    process.exit(2);
  }
  return { url: pathToFileURL(resolve(page)).href, screenshots };
}

export async function launch() {
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  if (!existsSync(executablePath)) {
    console.error(`${executablePath} is missing: apt-get install chromium, or set CHROMIUM`);
    process.exit(2);
  }
  return chromium.launch({
    executablePath,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-sync"],
  });
}

/** Pages in which a script is put on purpose that must not run. */
const attacked = new WeakSet();

/** A page of its own, watched. */
export async function open(browser, url, options, where) {
  const context = await browser.newContext(options);
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  page.on("console", (message) => {
    if (attacked.has(page) && message.text().includes("Content Security Policy")) return;
    if (["error", "warning"].includes(message.type())) wrong.push(`${where}: console: ${message.text()}`);
  });
  page.on("pageerror", (error) => wrong.push(`${where}: ${error.stack ?? error}`));
  page.on("request", (request) => {
    const to = request.url();
    if (to !== url && !to.startsWith("data:")) wrong.push(`${where}: the page asked for ${to}`);
  });
  if (options.javaScriptEnabled !== false) {
    await page.exposeFunction("violated", (what) => {
      if (!attacked.has(page)) wrong.push(`${where}: the page's policy forbade ${what}`);
    });
    await page.addInitScript(() => {
      addEventListener("securitypolicyviolation", (event) => {
        window.violated(`${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile ?? ""}:${event.lineNumber}`);
      });
    });
  }
  await page.goto(url);
  return page;
}

/** A script, an event handler and a request that are put into the page are all blocked. */
async function checkPolicy(page, where) {
  attacked.add(page);
  const ran = await page.evaluate(async () => {
    window.ran = [];
    const script = document.createElement("script");
    script.textContent = "window.ran.push('a script')";
    document.body.append(script);
    const image = document.createElement("div");
    image.innerHTML = `<img src="data:," onerror="window.ran.push('a handler')">`;
    document.body.append(image);
    await fetch("data:,x").then(
      () => window.ran.push("a request"),
      () => {},
    );
    await new Promise((resolve) => setTimeout(resolve, 100));
    script.remove();
    image.remove();
    return window.ran;
  });
  expect(ran.length === 0, `${where}: ran although the policy forbids it: ${ran.join(", ")}`);
}

/** What can be said of every chart below the elements of a selector. */
export async function charts(page, selector) {
  return page.$$eval(`${selector} figure[data-chart]`, (figures) =>
    figures.map((figure) => {
      const svg = figure.querySelector(".plot svg");
      const box = svg?.getBoundingClientRect();
      return {
        name: figure.dataset.chart,
        lines: [...(svg?.querySelectorAll("[data-mark=line] path") ?? [])].filter((path) =>
          /[LC]/.test(path.getAttribute("d") ?? ""),
        ).length,
        marks: svg?.querySelectorAll("path, circle, rect, line").length ?? 0,
        wide: box ? box.width : 0,
        sticksOut: box ? box.right > figure.getBoundingClientRect().right + 1 : false,
        says: figure.querySelector(".nothing")?.textContent ?? "",
        broken: svg ? /NaN|Infinity|undefined/.test(svg.outerHTML) : false,
      };
    }),
  );
}

/** Each is drawn or says why not, within its frame. */
export function checkDrawn(charts, where) {
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

export async function checkLayout(page, where) {
  const over = await page.evaluate(
    () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
  );
  expect(over <= 0, `${where}: the page is ${over} px wider than the window`);
}

/** The page is accessible, as far as the rules of axe-core can tell; also its folded parts. */
export async function checkAccess(page, where) {
  await page.evaluate(axe.source);
  const violations = await page.evaluate(async () => {
    const folded = [...document.querySelectorAll("details:not([open])")];
    for (const details of folded) details.open = true;
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    // What is unfolded is looked at by the page itself once it is laid out.
    await frame();
    await frame();
    // Its styles are in the page itself: there is nothing to fetch.
    const found = await window.axe.run(document, { resultTypes: ["violations"], preload: false });
    for (const details of folded) details.open = false;
    return found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.map(({ target, any }) => `${target.join(" ")} (${any[0]?.message ?? ""})`),
    }));
  });
  for (const { id, help, nodes } of violations) {
    wrong.push(`${where}: ${id}: ${help}: ${nodes.length} times, as ${nodes[0]}`);
  }
  expect(violations.length === 0, `${where}: axe-core finds ${violations.length} kinds of barriers`);
}

export async function checkTheme(page, where) {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const before = await ground();
  await page.click("#theme");
  const after = await ground();
  expect(before !== after, `${where}: the switch of the theme changes nothing`);
  await page.click("#theme");
  expect((await ground()) === before, `${where}: the switch of the theme does not go back`);
  await checkPolicy(page, where);
}

export async function shoot(page, screenshots, name) {
  if (!screenshots) return;
  await mkdir(screenshots, { recursive: true });
  await page.evaluate(() => scrollTo(0, 0));
  await page.screenshot({ path: join(screenshots, `${name}.png`), fullPage: true });
}

/** Tells what was wrong and ends. */
export function finish() {
  for (const what of new Set(wrong)) console.error(`✗ ${what}`);
  console.log(`${held} passed, ${wrong.length} failed`);
  process.exit(wrong.length > 0 ? 1 : 0);
}

export const SIZES = {
  wide: { width: 1280, height: 900 },
  narrow: { width: 390, height: 800 },
};
