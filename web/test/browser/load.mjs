// Drives the page of a load in headless Chromium as a reader would:
//   npm run test:browser:load -- path/to/load.html [folder for screenshots]
// Another browser: CHROMIUM=/path/to/chromium. The exit code is 1 when anything is wrong.
import { charts, checkAccess, checkDrawn, checkLayout, checkTheme, expect, finish, launch, open, shoot, SIZES, subject, wrong } from "./watched.mjs";

const { url, screenshots } = subject("npm run test:browser:load -- path/to/load.html [folder for screenshots]");

const browser = await launch();
try {
  for (const [name, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `load, ${name}, ${colorScheme}`;
      const page = await open(browser, url, { viewport, colorScheme }, where);
      await checkLayout(page, where);
      const shown = await charts(page, ".panel.shown");
      expect(shown.length === 1, `${where}: the chart is not there`);
      checkDrawn(shown, where);
      await shoot(page, screenshots, `load-${name}-${colorScheme}`);
      await checkAccess(page, where);
      await checkTheme(page, where);
      await page.context().close();
    }
  }
  const page = await open(browser, url, { javaScriptEnabled: false }, "load without JavaScript");
  for (const [selector, what] of [
    [".advice", "the certificate"],
    ["#times tbody td", "the table of times"],
    ["#requests tbody td", "the table of outcomes"],
  ]) {
    expect(await page.locator(selector).first().isVisible(), `load without JavaScript: ${what} is not seen`);
  }
} catch (error) {
  // A page so broken that it cannot be driven any further.
  wrong.push(String(error?.message ?? error).split("\n")[0]);
} finally {
  await browser.close();
}
finish();
