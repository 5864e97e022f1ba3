// Looks at a page that no other test of this folder drives, in headless Chromium:
//   npm run test:browser:page -- path/to/page.html NAME [folder for screenshots]
// It fits the window, is accessible, changes its theme, and what it draws is drawn. The exit code
// is 1 when anything is wrong. Another browser: CHROMIUM=/path/to/chromium.
import { charts, checkAccess, checkDrawn, checkLayout, checkTheme, expect, finish, launch, open, shoot, SIZES, wrong } from "./watched.mjs";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [path, name, screenshots] = process.argv.slice(2);
if (!name || !existsSync(path)) {
  console.error("usage: npm run test:browser:page -- path/to/page.html NAME [folder for screenshots]");
  process.exit(2);
}
const url = pathToFileURL(resolve(path)).href;

const browser = await launch();
try {
  for (const [size, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `${name}, ${size}, ${colorScheme}`;
      const page = await open(browser, url, { viewport, colorScheme }, where);
      await checkLayout(page, where);
      const shown = (await charts(page, "body")).filter((chart) => chart.wide > 0 || chart.says);
      if (shown.length > 0) checkDrawn(shown, where);
      await shoot(page, screenshots, `${name}-${size}-${colorScheme}`);
      await checkAccess(page, where);
      await checkTheme(page, where);
      await page.context().close();
    }
  }
  const page = await open(browser, url, { javaScriptEnabled: false }, `${name} without JavaScript`);
  const cells = await page.locator("table td").count();
  expect(cells > 0, `${name} without JavaScript: there is no table`);
} catch (error) {
  // A page so broken that it cannot be driven any further.
  wrong.push(String(error?.message ?? error).split("\n")[0]);
} finally {
  await browser.close();
}
finish();
