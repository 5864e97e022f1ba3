// A page that can be walked.
import { readFileSync } from "node:fs";

/** A tutorial: what it begins with, and its blocks in their order. */
export class Page {
  constructor(path) {
    this.path = path;
    const text = readFileSync(path, "utf8");
    const begins = /<!-- again:(.*?)-->/s.exec(text)?.[1];
    if (begins === undefined) throw new Error(`${path} does not say what it begins with: <!-- again: app.jar=PATH -->`);
    const { in: folder, within, wants, ...files } = Object.fromEntries(
      begins.trim().split(/\s+/).map((pair) => pair.split("=")),
    );
    /** The files by their name in the folder of the walk, each with its path in the tree. */
    this.files = Object.entries(files);
    /** The folder of the tree in which it is walked; else in one that is empty but for these. */
    this.folder = folder;
    /** The program of that folder that starts the shell. */
    this.within = within;
    this.wantsCluster = wants === "KUBECONFIG";
    const blocks = text.matchAll(/^```(yaml|sh|text)([^\n]*)\n(.*?)^```$/gms);
    this.blocks = [...blocks].map(([, language, words, block]) => ({
      language,
      words: words.trim().split(/\s+/),
      text: block,
    }));
  }
}
