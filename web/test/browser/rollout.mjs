// Drives the page of a rollout in headless Chromium as a reader would:
//   npm run test:browser:rollout -- path/to/rollout.html [folder for screenshots]
// Another browser: CHROMIUM=/path/to/chromium. The exit code is 1 when anything is wrong.
import { charts, checkAccess, checkDrawn, checkLayout, checkTheme, expect, finish, launch, open, shoot, SIZES, subject, wrong } from "./watched.mjs";

const { url, screenshots } = subject("npm run test:browser:rollout -- path/to/rollout.html [folder for screenshots]");

/** What stands below each other happened at the same time: both drawings have the same axis. */
async function checkAxis(page, where) {
  const ticks = await page.$$eval("figure[data-chart=rollout] .plot svg", (drawings) =>
    drawings.map((svg) => {
      const frame = svg.getBoundingClientRect();
      const labels = [...svg.querySelectorAll("[data-mark='x-axis tick label'] text")];
      return labels.map((label) => {
        const box = label.getBoundingClientRect();
        return `${label.textContent} ${Math.round(box.left + box.width / 2 - frame.left)}`;
      });
    }),
  );
  expect(ticks.length === 2, `${where}: ${ticks.length} drawings`);
  expect(ticks[0]?.length > 1, `${where}: the axis has no ticks`);
  expect(ticks[0]?.join() === ticks[1]?.join(), `${where}: the axes differ: ${ticks.map((it) => it.join()).join(" | ")}`);
}

const browser = await launch();
try {
  for (const [name, viewport] of Object.entries(SIZES)) {
    for (const colorScheme of ["light", "dark"]) {
      const where = `rollout, ${name}, ${colorScheme}`;
      const page = await open(browser, url, { viewport, colorScheme }, where);
      await checkLayout(page, where);
      const shown = await charts(page, ".panel.shown");
      expect(shown.map((chart) => chart.name).join() === "rollout", `${where}: the chart is not there`);
      checkDrawn(shown, where);
      await checkAxis(page, where);
      await shoot(page, screenshots, `rollout-${name}-${colorScheme}`);
      await checkAccess(page, where);
      await checkTheme(page, where);
      await page.context().close();
    }
  }
  const page = await open(browser, url, { javaScriptEnabled: false }, "rollout without JavaScript");
  for (const [selector, what] of [
    [".advice", "the verdict"],
    ["#felt tbody td", "the table of users"],
    ["#pods tbody td", "the table of pods"],
  ]) {
    expect(await page.locator(selector).first().isVisible(), `rollout without JavaScript: ${what} is not seen`);
  }
} catch (error) {
  // A page so broken that it cannot be driven any further.
  wrong.push(String(error?.message ?? error).split("\n")[0]);
} finally {
  await browser.close();
}
finish();
