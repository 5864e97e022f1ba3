// Drives a report in headless Chromium as a reader would:
//   npm run test:browser -- path/to/report.html [folder for screenshots]
// Another browser: CHROMIUM=/path/to/chromium. The exit code is 1 when anything is wrong.
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

const { url, screenshots } = subject("npm run test:browser -- path/to/report.html [folder for screenshots]");

/** Charts that every set of limits has; evidence and memory come with what was recorded. */
const ALWAYS = ["start-up", "time-line", "first-requests", "latency", "throughput", "memory", "break-even"];

/** What is folded is laid out as well. */
async function checkDiagnosis(page, where) {
  const folded = await page.$$(".panel.shown .diagnosis details");
  for (const details of folded) await details.evaluate((element) => (element.open = true));
  const tables = await page.$$eval(".panel.shown .diagnosis table", (all) =>
    all.map((table) => table.querySelectorAll("tbody tr").length),
  );
  expect(tables.every((rows) => rows > 0), `${where}: a table of a diagnosis launch is empty`);
  if (folded.length > 0) await checkLayout(page, `${where}, diagnosis unfolded`);
  for (const details of folded) await details.evaluate((element) => (element.open = false));
}

/** Every chart of the panels that are shown: drawn, or saying why it is empty. */
async function checkCharts(page, where) {
  const shown = await charts(page, ".panel.shown");
  const names = shown.map((chart) => chart.name);
  for (const name of ALWAYS) expect(names.includes(name), `${where}: there is no chart ${name}`);
  checkDrawn(shown, where);
  const findings = await page.$$eval(".panel.shown .finding", (all) => all.length);
  const evidence = shown.filter((chart) => chart.name === "evidence");
  const drawn = evidence.filter((chart) => chart.lines > 0).length;
  expect(
    evidence.length === findings && drawn === findings,
    `${where}: ${findings} findings, ${drawn} with their evidence drawn`,
  );
  const memory = shown.filter((chart) => chart.name === "memory-course");
  expect(
    memory.every((chart) => chart.lines > 0),
    `${where}: the course of memory has no line`,
  );
}

/** What is read of the page as it is shown, without commands to copy. */
async function prose(page) {
  return page.evaluate(() => {
    const body = document.body.cloneNode(true);
    const others = "script, style, noscript, pre, .panel:not(.shown)";
    for (const element of body.querySelectorAll(others)) element.remove();
    return body.textContent.replace(/\s+/g, " ");
  });
}

/** A page is given to others: where the files lie on this machine is told in commands alone. */
const PATH = /(?<![\w.:/-])\/(?:home|root|work|tmp|Users)\/[^\s]*/;

/** Each verdict is said once, that of the run and that of the limits that are shown. */
async function checkProse(page, where) {
  const text = await prose(page);
  const path = PATH.exec(text);
  expect(path === null, `${where}: a path of this machine: ${path?.[0]}`);
  const verdicts = await page.$$eval(".advice, .panel.shown .advice-for", (all) =>
    all.map((verdict) => verdict.textContent.replace(/\s+/g, " ").trim()),
  );
  for (const verdict of verdicts) {
    const times = text.split(verdict).length - 1;
    expect(times === 1, `${where}: said ${times} times: ${verdict}`);
  }
}

/** Who opens the page sees charts after two screens at most. */
async function checkFirstChart(page, where) {
  const top = await page.$eval(".panel.shown figure[data-chart]", (chart) => {
    return chart.getBoundingClientRect().top + scrollY;
  });
  expect(top < 1800, `${where}: the first chart begins at ${Math.round(top)} px`);
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
    await checkProse(page, `${where}, tab ${i + 1}`);
    await checkLayout(page, `${where}, tab ${i + 1}`);
    await checkDiagnosis(page, `${where}, tab ${i + 1}`);
  }
  if (tabs.length === 0) {
    await checkCharts(page, where);
    await checkProse(page, where);
    await checkDiagnosis(page, where);
  }
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
    // The button says it for two seconds: noted as it happens, whenever that is looked at.
    await block.evaluate((b) => {
      const button = b.querySelector(".copy");
      const watch = new MutationObserver(() => (b.dataset.said ??= button.textContent));
      watch.observe(button, { childList: true });
    });
    await (await block.$(".copy")).click();
    await page.waitForFunction((b) => b.dataset.said, block);
    const said = await block.evaluate((b) => b.dataset.said);
    expect(said === "Copied", `${where}: the button says ${said}`);
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    expect(copied === text, `${where}: the clipboard holds something else than the command line`);
  }
}

/** Advice, certificate and tables are there without JavaScript. */
async function checkWithoutScript(browser) {
  const page = await open(browser, url, { javaScriptEnabled: false }, "without JavaScript");
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
  const page = await open(browser, url, paper, "print");
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

const browser = await launch();
try {
  for (const [name, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `${name}, ${colorScheme}`;
      const permissions = ["clipboard-read", "clipboard-write"];
      const page = await open(browser, url, { viewport, colorScheme, permissions }, where);
      await checkLayout(page, where);
      await checkTabs(page, where);
      await shoot(page, screenshots, `run-${name}-${colorScheme}`);
      await checkAccess(page, where);
      await checkTheme(page, where);
      if (name === "wide") {
        await checkFirstChart(page, where);
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

finish();
