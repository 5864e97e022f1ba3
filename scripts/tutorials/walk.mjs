// A walk through a page, as a reader makes it.
import { cpSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keep, runsIn, unpack } from "./measured.mjs";
import { allOf, shape } from "./shape.mjs";
import { Shell } from "./shell.mjs";

export class Walk {
  #own = mkdtempSync(join(tmpdir(), "tacho-tutorial-"));
  #folder = this.#own;
  #PATH;
  #isCheap;
  #isKept;
  #isOutside = false;
  #shell;
  /** How many blocks came. */
  steps = 0;

  /** With `isCheap` nothing is measured; with `isKept` the runs are kept that are measured. */
  constructor(page, root, PATH, { isCheap, isKept }) {
    this.#PATH = PATH;
    this.#isCheap = isCheap;
    this.#isKept = isKept;
    let starter;
    // What measures nothing needs no folder of the tree, and none of its programs.
    if (page.folder && !isCheap) {
      this.#folder = join(root, page.folder);
      starter = page.within && join(this.#folder, page.within);
    }
    for (const [name, path] of page.files) {
      // What is cheap is walked with what is there.
      if (isCheap && !existsSync(join(root, path))) continue;
      cpSync(join(root, path), join(this.#folder, name), { recursive: true });
    }
    this.#shell = new Shell(this.#folder, this.#own, PATH, starter);
  }

  /** A file that the page has the reader write. */
  write(name, text) {
    writeFileSync(join(this.#folder, name), text);
  }

  /** What a block printed, and what of its lines has to come again; null if it is not walked. */
  async step(name, words, block) {
    const isMeasured = words.includes("measured");
    if (words.includes("before")) {
      console.log(`done before  ${name}: ${block.trim()}`);
      return null;
    }
    if (this.#isCheap && isMeasured) return this.#printAgain(name);
    if (this.#isCheap && !words.includes("cheap")) return null;
    if (words.includes("outside")) await this.#leave();
    const before = runsIn(this.#folder);
    const came = await this.#type(name, block, shape);
    if (this.#isKept && isMeasured) keep(name, this.#folder, before, this.#PATH);
    return came;
  }

  /** By the kept run: so each figure has to come, too. */
  async #printAgain(name) {
    const run = unpack(name, this.#folder);
    return this.#type(name, `tacho report ${run}`, allOf);
  }

  async #type(name, block, of) {
    console.log(`${name}: ${block.trim().split("\n").join("; ")}`);
    this.steps += 1;
    return { printed: await this.#shell.type(block), of };
  }

  /** Out of the program that has started the shell. */
  async #leave() {
    if (this.#isOutside) return;
    this.#isOutside = true;
    await this.#shell.end();
    this.#shell = new Shell(this.#folder, this.#own, this.#PATH);
  }

  async end() {
    await this.#shell.end();
    rmSync(this.#own, { recursive: true, force: true });
  }
}
