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
// what was printed is kept there, for who writes a page. With --cheap only blocks ```sh cheap are
// walked, which measure nothing, by target/debug/tacho; of the files that a page begins with, those
// that are built.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const box = join(root, "cluster-box/box");

/** What a page begins with, by name: files, its folder, what it wants. Null: it does not say. */
function beginning(page) {
  const begins = /<!-- again:(.*?)-->/s.exec(readFileSync(page, "utf8"));
  return begins && new Map(begins[1].trim().split(/\s+/).map((pair) => pair.split("=")));
}

const wantsCluster = (begins) => begins?.get("wants") === "KUBECONFIG";

/** Why a page is not walked here; null where it is. */
function leftOut(page) {
  const isLeftOut = wantsCluster(beginning(page)) && process.env.KUBECONFIG === undefined;
  return isLeftOut ? "wants a cluster: KUBECONFIG=$(cluster-box/box up)" : null;
}

/** Where the commands of a page are found. */
function pathFor(begins, program) {
  const ofCluster = () => [dirname(box), execFileSync(box, ["build"], { encoding: "utf8" }).trim()];
  const more = wantsCluster(begins) ? ofCluster() : [];
  return [dirname(program), ...more, process.env.PATH].join(delimiter);
}

/** What is left of a line when its figures are taken out. */
function shape(line) {
  return line
    .replace(/\x1b\[[0-9;]*m/g, "")
    .replace(/[−-]?\d[\d,]*(\.\d+)?/g, "0")
    // 850 ms may be 1.2 s another time.
    .replace(/\b0 ?(ns|us|µs|ms|s|min|B|KiB|MiB|GiB|kB|MB)\b/g, "0")
    // Which quantiles the generator's own lateness is more than a tenth of is chance.
    .replace(/\b0!/g, "0")
    // Which branch of a tree is the last depends on times.
    .replace(/[├└]─/g, "─").replaceAll("│", " ")
    // What is told apart may be another on another day.
    .replace(/, advised|[✓✗=?~]( better| worse| same)?|(over )?\b0 ?%/g, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The first line of `wanted` that does not come in its order; null when all do. */
function missing(wanted, printed) {
  const lines = printed.split("\n").map(shape);
  let at = 0;
  for (const line of wanted.split("\n")) {
    const one = shape(line);
    if (one === "" || one === "...") continue;
    // A line that is cut in the page ends in dots.
    const begins = one.endsWith(" ...") ? one.slice(0, -4) : null;
    const found = lines.findIndex((it, i) => i >= at && (begins ? it.startsWith(begins) : it === one));
    if (found === -1) return line;
    at = found + 1;
  }
  return null;
}

/** A reader's shell: later commands see the variables and background jobs of earlier ones. */
class Shell {
  #shell;
  #errors;
  #printed = "";
  #typed = 0;
  #heard = () => {};

  /**
   * In the folder `cwd`, with `own` for itself and this PATH, and started by another program if
   * there is one.
   */
  constructor(cwd, own, PATH, starter) {
    this.#errors = join(own, "stderr");
    const [program, words] = starter ? [starter, ["bash"]] : ["bash", []];
    // What the starter has to complain of is for who walks. A group of its own: whatever the shell
    // has begun is ended with it.
    const options = { cwd, detached: true, env: { ...process.env, PATH }, stdio: ["pipe", "pipe", "inherit"] };
    this.#shell = spawn(program, words, options);
    // A shell that has gone takes no more words: what it printed tells that.
    this.#shell.stdin.on("error", () => {});
    this.#shell.stdout.setEncoding("utf8").on("data", (text) => {
      this.#printed += text;
      this.#heard();
    });
    this.#shell.on("exit", () => this.#heard());
    this.#shell.stdin.write("exec 2>&1\n");
  }

  /** What a block prints, errors last, until it is over. */
  async type(block) {
    this.#typed += 1;
    const end = `end of block ${this.#typed} of ${this.#shell.pid}`;
    this.#printed = "";
    // No command reads the next block as its input.
    this.#shell.stdin.write(`{\n${block}\n} </dev/null 2>'${this.#errors}'\ncat '${this.#errors}'; echo '${end}'\n`);
    await new Promise((over) => {
      this.#heard = () => {
        if (this.#printed.includes(end) || this.#shell.exitCode !== null) over();
      };
      this.#heard();
    });
    const [printed, after] = this.#printed.split(end);
    return after === undefined ? `${printed}\nthe shell has ended` : printed;
  }

  /** With all that it has begun. */
  async end() {
    if (this.#shell.exitCode !== null) return;
    const ended = once(this.#shell, "exit");
    process.kill(-this.#shell.pid, "SIGTERM");
    await ended;
  }
}

async function again(page, program, capture, isCheap) {
  const text = readFileSync(page, "utf8");
  const begins = beginning(page);
  if (!begins) return [`it does not say what it begins with: <!-- again: app.jar=PATH -->`];
  const own = mkdtempSync(join(tmpdir(), "tacho-tutorial-"));
  const there = begins.get("in");
  const within = begins.get("within");
  const folder = there ? join(root, there) : own;
  for (const [name, path] of begins) {
    if (["in", "within", "wants"].includes(name) || (isCheap && !existsSync(join(root, path)))) continue;
    cpSync(join(root, path), join(folder, name), { recursive: true });
  }
  const PATH = pathFor(begins, program);
  let isOutside = false;
  let shell = new Shell(folder, own, PATH, within && join(folder, within));
  const wrong = [];
  try {
    // Null behind a block that was not walked.
    let printed = "";
    let number = 0;
    for (const [, language, name, block] of text.matchAll(/^```(yaml|sh|text) ?(\S*)\n(.*?)^```$/gms)) {
      if (language === "yaml" && name) writeFileSync(join(folder, name), block);
      const shown = `${basename(page)}: ${block.trim().split("\n").join("; ")}`;
      if (language === "sh" && isCheap && name !== "cheap") printed = null;
      else if (language === "sh" && name === "before") console.log(`done before  ${shown}`);
      else if (language === "sh") {
        if (name === "outside" && !isOutside) {
          isOutside = true;
          await shell.end();
          shell = new Shell(folder, own, PATH);
        }
        console.log(shown);
        printed = await shell.type(block);
        number += 1;
        if (capture) writeFileSync(join(capture, `${basename(page, ".md")}-${number}.txt`), printed);
      }
      if (language === "text" && printed !== null) {
        const line = missing(block, printed);
        if (line !== null) wrong.push(`this line did not come:\n  ${line}\nin\n${printed.replace(/^/gm, "  | ")}`);
      }
    }
    if (number === 0) wrong.push(isCheap ? "no block is marked as cheap" : "it has no block to walk");
  } finally {
    await shell.end();
    rmSync(own, { recursive: true, force: true });
  }
  return wrong;
}

const pages = process.argv.slice(2);
let capture = null;
const isCheap = pages[0] === "--cheap";
if (isCheap) pages.shift();
if (pages[0] === "--capture") {
  [, capture] = pages.splice(0, 2);
  mkdirSync(capture, { recursive: true });
}
if (pages.length === 0) {
  console.error("usage: scripts/tutorials.mjs [--cheap] [--capture FOLDER] PAGE...");
  process.exit(2);
}
const program = join(root, isCheap ? "target/debug" : "target/release", "tacho");
execFileSync("test", ["-x", program]);
// The pages show a machine that has no builder of native images.
if (isCheap) delete process.env.GRAALVM_HOME;
let failed = 0;
let all = "all";
for (const page of pages) {
  const why = leftOut(page);
  if (why !== null) {
    all = "the others";
    console.log(`left out  ${page}  (${why})`);
    continue;
  }
  const wrong = await again(page, program, capture, isCheap);
  for (const what of wrong) console.error(`${page}: ${what}`);
  failed += wrong.length;
}
console.log(failed === 0 ? `${all} as it stands there, in shape` : `${failed} blocks differ`);
process.exit(failed === 0 ? 0 : 1);
