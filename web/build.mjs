// Bundles the charts into dist/report.js and dist/report.css; with --tests, the unit tests too.
import { build } from "esbuild";
import { readdir } from "node:fs/promises";

const common = {
  bundle: true,
  charset: "utf8",
  legalComments: "none",
  logLevel: "warning",
};

if (process.argv.includes("--tests")) {
  const tests = (await readdir("test")).filter((name) => name.endsWith(".test.ts"));
  await build({
    ...common,
    entryPoints: tests.map((name) => `test/${name}`),
    outdir: "dist/test",
    outExtension: { ".js": ".mjs" },
    format: "esm",
    platform: "node",
  });
} else {
  await build({
    ...common,
    entryPoints: { report: "src/main.ts" },
    outdir: "dist",
    format: "iife",
    target: ["chrome100", "firefox100", "safari15.4"],
    minify: true,
  });
  await build({
    ...common,
    entryPoints: { report: "src/report.css" },
    outdir: "dist",
    target: ["chrome100", "firefox100", "safari15.4"],
    minify: true,
  });
}
