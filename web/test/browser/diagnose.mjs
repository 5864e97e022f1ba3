// Drives the page of a diagnosis in headless Chromium as a reader would:
//   npm run test:browser:diagnose -- path/to/diagnose.html [folder for screenshots]
// Two builds must have been compared, and there must be a finding. Another browser:
// CHROMIUM=/path/to/chromium. The exit code is 1 when anything is wrong.
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

const { url, screenshots } = subject("npm run test:browser:diagnose -- path/to/diagnose.html [folder for screenshots]");
const FLAME = "figure[data-chart=flame]";

const drawn = (page) => page.$$eval(`${FLAME} [data-frame]`, (groups) => groups.map((group) => group.dataset.frame));
const told = (page) => page.textContent(`${FLAME} .told`);
const press = (page, name) => page.click(`${FLAME} .choice button:text-is("${name}")`);

/** Both builds and the difference, search, mouse and keys. */
async function checkFlame(page, where) {
  const all = await drawn(page);
  expect(all.length > 3, `${where}: ${all.length} frames are drawn`);
  expect((await page.$$(`${FLAME} g.more`)).length > 0, `${where}: no frame of the difference has become more`);
  for (const view of ["Candidate", "Baseline"]) {
    await press(page, view);
    expect((await page.$$(`${FLAME} g.own`)).length > 0, `${where}, ${view}: no own code`);
    expect((await page.$$(`${FLAME} g.more`)).length === 0, `${where}, ${view}: coloured as a difference`);
  }
  await press(page, "Difference");

  await page.hover(`${FLAME} [data-frame="1"] rect`);
  const hovered = await told(page);
  expect(/candidate .*%.*baseline .*%.* a request/.test(hovered), `${where}: hovering tells ${hovered}`);

  await page.fill(`${FLAME} input`, "shop.");
  const sum = await page.textContent(`${FLAME} .sum`);
  expect(/^\d+ frames, candidate /.test(sum), `${where}: searching tells ${sum}`);
  expect((await page.$$(`${FLAME} g.found`)).length > 0, `${where}: nothing found is marked`);
  await page.fill(`${FLAME} input`, "no such frame");
  expect((await page.textContent(`${FLAME} .sum`)) === "none", `${where}: something is found that is not there`);
  await page.fill(`${FLAME} input`, "");

  // Zoom by the mouse, out by the button.
  const wide = (frame) => page.$eval(`${FLAME} [data-frame="${frame}"] rect`, (box) => box.getBoundingClientRect().width);
  const deep = all[all.length - 1];
  const before = await wide(deep);
  await page.click(`${FLAME} [data-frame="${deep}"]`);
  expect((await wide(deep)) > before, `${where}: a click does not zoom`);
  await page.click(`${FLAME} .back`);
  expect((await wide(deep)) === before, `${where}: the button does not zoom out`);
  expect(await page.isHidden(`${FLAME} .back`), `${where}: the button to zoom out stays`);

  // The same by keys. What now lies under the mouse would be told as soon as the browser notices.
  await page.mouse.move(0, 0);
  await page.focus(`${FLAME} .flame`);
  const whole = await told(page);
  await page.keyboard.press("ArrowDown");
  const below = await told(page);
  expect(whole !== below, `${where}: the arrow key leads nowhere`);
  const current = `${FLAME} .current`;
  expect((await page.$$(current)).length === 1, `${where}: nobody sees where the keyboard is`);
  await page.keyboard.press("ArrowUp");
  expect((await told(page)) === whole, `${where}: the arrow key does not lead back`);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  expect(await page.isVisible(`${FLAME} .back`), `${where}: Enter does not zoom`);
  for (let i = 0; i < 3; i += 1) await page.keyboard.press("Escape");
  expect(await page.isHidden(`${FLAME} .back`), `${where}: Escape does not zoom out`);
}

/** Rows fold and unfold; own code stands out. */
async function checkTree(page, where) {
  const shown = () => page.$$eval(".trace tbody tr", (rows) => rows.filter((row) => row.offsetParent !== null).length);
  const all = await shown();
  expect(all > 3, `${where}: the trace has ${all} rows`);
  expect((await page.$$(".trace tr.own .name")).length > 0, `${where}: the trace does not tell own code apart`);
  expect((await page.textContent(".trace")).includes("≈"), `${where}: the trace does not say what is estimated`);
  const fold = page.locator(".trace button.fold").first();
  await fold.click();
  expect((await shown()) < all, `${where}: the trace does not fold`);
  expect((await fold.getAttribute("aria-expanded")) === "false", `${where}: the trace does not say that it is folded`);
  await fold.press("Enter");
  expect((await shown()) === all, `${where}: the trace does not unfold`);
}

const browser = await launch();
try {
  for (const [name, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `diagnose, ${name}, ${colorScheme}`;
      const page = await open(browser, url, { viewport, colorScheme }, where);
      await checkLayout(page, where);
      checkDrawn(await charts(page, "main"), where);
      await shoot(page, screenshots, `diagnose-${name}-${colorScheme}`);
      await checkTree(page, where);
      await checkFlame(page, where);
      await press(page, "Candidate");
      if (screenshots) await shoot(page, screenshots, `diagnose-${name}-${colorScheme}-candidate`);
      await checkAccess(page, where);
      await checkTheme(page, where);
      await page.context().close();
    }
  }
  const page = await open(browser, url, { javaScriptEnabled: false }, "diagnose without JavaScript");
  for (const [selector, what] of [
    [".advice", "the sentence"],
    [".cause .share", "the share of the first finding"],
    [".cause .pairs td", "what a request costs"],
    [".stack mark", "the owner in the stack"],
    [".trace td", "the trace"],
    ["noscript", "that the graphs need it"],
  ]) {
    expect(await page.locator(selector).first().isVisible(), `diagnose without JavaScript: ${what} is not seen`);
  }
} catch (error) {
  // A page so broken that it cannot be driven any further.
  wrong.push(String(error?.message ?? error).split("\n")[0]);
} finally {
  await browser.close();
}
finish();
