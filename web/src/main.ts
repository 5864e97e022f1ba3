// Draws the charts and makes tabs, copy buttons and the theme switch work.
// Everything that a reader needs is in the page without it.
import { breakEven } from "./charts/break-even";
import type { Chart } from "./charts/chart";
import { evidence } from "./charts/evidence";
import { firstRequests } from "./charts/first-requests";
import { latency } from "./charts/latency";
import { memory } from "./charts/memory";
import { memoryCourse } from "./charts/memory-course";
import { memorySplit } from "./charts/memory-split";
import { startUp } from "./charts/start-up";
import { throughput } from "./charts/throughput";
import { timeLine } from "./charts/time-line";
import { warmUp } from "./charts/warm-up";
import { copyButtons } from "./copy";
import { readData } from "./data";
import { diagnosePage } from "./diagnose/page";
import { foldTrees } from "./diagnose/tree";
import { gcPage } from "./gc/page";
import { printing } from "./printing";
import { rolloutPage } from "./rollout/page";
import { whatIsCut } from "./scroll";
import { SectionView } from "./section";
import { tabs } from "./tabs";
import { themeSwitch } from "./theme";

const charts: Record<string, Chart> = {
  "start-up": startUp,
  "time-line": timeLine,
  "first-requests": firstRequests,
  latency,
  throughput,
  "warm-up": warmUp,
  memory,
  "memory-course": memoryCourse,
  "memory-split": memorySplit,
  evidence,
  "break-even": breakEven,
};

function main(): void {
  document.documentElement.classList.add("js");
  const data = readData(document);
  const views = new Map<HTMLElement, SectionView>();
  if (data) {
    for (const [i, section] of data.sections.entries()) {
      const panel = document.getElementById(`limits-${i}`);
      if (panel) views.set(panel, new SectionView(panel, section, data.variants, charts));
    }
  }
  tabs(document, (panel) => views.get(panel)?.draw());
  if (!document.querySelector("[role=tablist]")) {
    for (const view of views.values()) view.draw();
  }
  const drawGc = gcPage(document);
  drawGc?.();
  const drawFlames = diagnosePage(document);
  drawFlames?.();
  const drawRollout = rolloutPage(document);
  drawRollout?.();
  foldTrees(document);
  whatIsCut(document);
  copyButtons(document);
  themeSwitch(document.getElementById("theme"));

  let pending = 0;
  window.addEventListener("resize", () => {
    cancelAnimationFrame(pending);
    pending = requestAnimationFrame(() => {
      for (const view of views.values()) view.draw();
      drawGc?.();
      drawFlames?.();
      drawRollout?.();
    });
  });
  printing(() => {
    for (const view of views.values()) view.draw();
    drawGc?.();
    drawFlames?.();
    drawRollout?.();
  });
}

main();
