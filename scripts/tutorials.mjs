#!/usr/bin/env node
// Makes the outputs of tutorials again and compares them in shape:
//   scripts/tutorials.mjs docs/tutorials/jar-aot-or-native.md ...
// A tutorial names at its top what it begins with, as a comment: <!-- again: app.jar=PATH ... -->,
// paths from the root of the tree. In a folder that is empty but for these it then walks the page,
// or, by <!-- again: in=PATH -->, in that folder of the tree. A block ```yaml NAME becomes a file,
// one ```sh is run, and one ```text behind it is what that printed. All blocks of a page are typed
// into one shell; what is still running at the end of the page is ended. By within=PROGRAM that
// shell is started by a program of that folder; a block ```sh outside is typed into another shell,
// after that one has ended. A block ```sh before is what was done before the walk: it is named, and
// not run. Numbers, units, what was told apart, and white space may differ; each line has to come,
// in its order; `...` stands for any lines, and for the rest of one. A page that begins with
// wants=KUBECONFIG is left out where that variable is not set; it finds the programs of the
// cluster-box, `box` and `kubectl`. Exit code 1: something else was printed. With --capture FOLDER
// what was printed is kept there, for who writes a page.
// With --cheap nothing is measured, and target/debug/tacho is asked. Blocks ```sh cheap are walked,
// which measure nothing. Of a block ```sh measured the run is printed again that is kept in
// scripts/tutorials/measured, and each line of the page has to come as it stands there, figures and
// all. --keep keeps the runs of these blocks. Of the files that a page begins with, those are there
// that are built.
import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { Page } from "./tutorials/page.mjs";
import { missing } from "./tutorials/shape.mjs";
import { Walk } from "./tutorials/walk.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const box = join(root, "cluster-box/box");

/** Why a page is not walked here; null where it is. */
function leftOut(page) {
  const isLeftOut = page.wantsCluster && process.env.KUBECONFIG === undefined;
  return isLeftOut ? "wants a cluster: KUBECONFIG=$(cluster-box/box up)" : null;
}

/** Where the commands of a page are found. */
function pathFor(page, program) {
  const ofCluster = () => [dirname(box), execFileSync(box, ["build"], { encoding: "utf8" }).trim()];
  const more = page.wantsCluster ? ofCluster() : [];
  return [dirname(program), ...more, process.env.PATH].join(delimiter);
}

/** What was printed otherwise than the page says. */
async function again(page, PATH, { capture, isCheap, isKept }) {
  const walk = new Walk(page, root, PATH, { isCheap, isKept });
  const wrong = [];
  try {
    let blocks = 0;
    let came = null;
    for (const { language, words, text } of page.blocks) {
      if (language === "yaml" && words[0]) walk.write(words[0], text);
      if (language === "sh") {
        blocks += 1;
        const name = `${basename(page.path, ".md")}-${blocks}`;
        came = await walk.step(name, words, text);
        if (capture && came) writeFileSync(join(capture, `${name}.txt`), came.printed);
      }
      if (language === "text" && came) {
        const line = missing(text, came.printed, came.of);
        if (line !== null) wrong.push(`this line did not come:\n  ${line}\nin\n${came.printed.replace(/^/gm, "  | ")}`);
      }
    }
    if (walk.steps === 0) wrong.push(isCheap ? "no block is marked as cheap or measured" : "it has no block to walk");
  } finally {
    await walk.end();
  }
  return wrong;
}

const { values, positionals: pages } = parseArgs({
  options: { cheap: { type: "boolean" }, keep: { type: "boolean" }, capture: { type: "string" } },
  allowPositionals: true,
});
const { cheap: isCheap = false, keep: isKept = false, capture } = values;
if (pages.length === 0 || (isCheap && isKept)) {
  console.error("usage: scripts/tutorials.mjs [--cheap | --keep] [--capture FOLDER] PAGE...");
  process.exit(2);
}
if (capture) mkdirSync(capture, { recursive: true });
const program = join(root, isCheap ? "target/debug" : "target/release", "tacho");
execFileSync("test", ["-x", program]);
// The pages show a machine that has no builder of native images.
if (isCheap) delete process.env.GRAALVM_HOME;
let failed = 0;
let all = "all";
for (const path of pages) {
  const page = new Page(path);
  const why = leftOut(page);
  if (why !== null) {
    all = "the others";
    console.log(`left out  ${path}  (${why})`);
    continue;
  }
  const wrong = await again(page, pathFor(page, program), { capture, isKept, isCheap });
  for (const what of wrong) console.error(`${path}: ${what}`);
  failed += wrong.length;
}
console.log(failed === 0 ? `${all} as it stands there, in shape` : `${failed} blocks differ`);
process.exit(failed === 0 ? 0 : 1);
