// Drives the page of a profile in headless Chromium as a reader would:
//   npm run test:browser:profile -- path/to/profile.html [folder for screenshots]
// There must be processor time and code of the application. Another browser:
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

const { url, screenshots } = subject("npm run test:browser:profile -- path/to/profile.html [folder for screenshots]");
const FLAME = "figure[data-chart=flame]";

/** One JVM: no builds to choose from, and figures of the whole time. */
async function checkFlame(page, where) {
  expect((await page.$$(`${FLAME} [data-frame]`)).length > 3, `${where}: there are no frames`);
  expect((await page.$$(`${FLAME} g.own`)).length > 0, `${where}: own code is not told apart`);
  expect((await page.$$(`${FLAME} .choice button:text-is("Difference")`)).length === 0, `${where}: builds can be chosen`);
  await page.hover(`${FLAME} [data-frame="1"] rect`);
  const hovered = await page.textContent(`${FLAME} .told`);
  expect(/ [\d.]+ (ms|s) \([\d.]+ %\)$/.test(hovered), `${where}: hovering tells ${hovered}`);
  const costs = await page.$$eval(`${FLAME} .choice button`, (buttons) => buttons.map((button) => button.textContent));
  for (const cost of costs) {
    await page.click(`${FLAME} .choice button:text-is("${cost}")`);
    expect((await page.$$(`${FLAME} [data-frame]`)).length > 1, `${where}: nothing is drawn of ${cost}`);
  }
}

const browser = await launch();
try {
  for (const [name, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `profile, ${name}, ${colorScheme}`;
      const page = await open(browser, url, { viewport, colorScheme }, where);
      await checkLayout(page, where);
      checkDrawn(await charts(page, "main"), where);
      await shoot(page, screenshots, `profile-${name}-${colorScheme}`);
      await checkFlame(page, where);
      await checkAccess(page, where);
      await checkTheme(page, where);
      await page.context().close();
    }
  }
  const page = await open(browser, url, { javaScriptEnabled: false }, "profile without JavaScript");
  for (const [selector, what] of [
    [".breaks li", "the sums"],
    [".shares td", "the shares"],
    [".shares th.own", "own code"],
    ["noscript", "that the graphs need it"],
  ]) {
    expect(await page.locator(selector).first().isVisible(), `profile without JavaScript: ${what} is not seen`);
  }
} catch (error) {
  // A page so broken that it cannot be driven any further.
  wrong.push(String(error?.message ?? error).split("\n")[0]);
} finally {
  await browser.close();
}
finish();
