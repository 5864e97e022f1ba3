// What blocks of a tutorial have measured, kept in the tree as an archive each: so that whoever
// changes what Tacho says sees each page that shows it, without measuring for an hour.
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { brotliCompressSync, brotliDecompressSync, constants } from "node:zlib";

const KEPT = fileURLToPath(new URL("measured/", import.meta.url));
const archive = (name) => join(KEPT, `${name}.tar.br`);

// What `tacho report` writes again, and what it does not read.
const WRITTEN = new Set(["build", "report.html", "diagnose.html", "results.json"]);
const isRead = (path) => !WRITTEN.has(basename(path)) && !/\.(jfr|jfc|collapsed|svg)$/.test(path);

// Each is left out if the run is printed the same without it.
const LEFT_OUT = [
  // A search, and a diagnosis, are printed from one file.
  without("launches"),
  without("diagnosis"),
  without("put-back"),
  without("more-load"),
  without("phases.hlog"),
  without("slowest.csv"),
  without("memory.csv"),
  without("log.txt"),
  without("jvm.csv"),
  without("gc.log"),
  firstRows("requests.csv", 200),
  firstRows("requests.csv", 2000),
];

/** What a folder of runs holds. */
export function runsIn(folder) {
  const runs = join(folder, "runs");
  return existsSync(runs) ? readdirSync(runs) : [];
}

/**
 * Keeps the run that the block `name` has written into `folder`, which had those `before`. `PATH`
 * has the program that prints it.
 */
export function keep(name, folder, before, PATH) {
  const written = runsIn(folder).filter((run) => !before.includes(run));
  if (written.length !== 1) throw new Error(`${name} has written ${written.length} runs, not one`);
  const run = join("runs", written[0]);
  const own = mkdtempSync(join(tmpdir(), "tacho-kept-"));
  try {
    const printed = reported(run, folder, PATH);
    let kept = join(own, "read");
    cpSync(join(folder, run), join(kept, run), { recursive: true, filter: isRead });
    for (const [at, leaveOut] of LEFT_OUT.entries()) {
      const smaller = join(own, `smaller-${at}`);
      cpSync(kept, smaller, { recursive: true, filter: isRead });
      leaveOut(smaller);
      if (reported(run, smaller, PATH) === printed) kept = smaller;
    }
    if (reported(run, kept, PATH) !== printed) throw new Error(`${name} is printed otherwise than it was`);
    clear(kept);
    mkdirSync(KEPT, { recursive: true });
    writeFileSync(archive(name), compressed(kept));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Puts the run that the block `name` has measured into `folder`; what it is called there. */
export function unpack(name, folder) {
  const before = runsIn(folder);
  const params = { [constants.BROTLI_DECODER_PARAM_LARGE_WINDOW]: 1 };
  const tar = brotliDecompressSync(readFileSync(archive(name)), { params });
  execFileSync("tar", ["-xf", "-", "-C", folder], { input: tar });
  const [run] = runsIn(folder).filter((one) => !before.includes(one));
  return join("runs", run);
}

/** All files of a name in a folder. */
function files(folder, name) {
  const paths = readdirSync(folder, { recursive: true }).filter((path) => basename(path) === name);
  return paths.map((path) => join(folder, path));
}

function remove(paths) {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
}

function without(name) {
  return (folder) => remove(files(folder, name));
}

function firstRows(name, rows) {
  return (folder) => {
    for (const path of files(folder, name)) {
      const lines = readFileSync(path, "utf8").split("\n");
      if (lines.length > 1 + rows) writeFileSync(path, `${lines.slice(0, 1 + rows).join("\n")}\n`);
    }
  };
}

/** What a report wrote. */
function clear(folder) {
  for (const name of WRITTEN) remove(files(folder, name));
}

function compressed(folder) {
  // The same runs are the same bytes.
  const same = ["--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  const tar = execFileSync("tar", [...same, "-cf", "-", "-C", folder, "runs"], { maxBuffer: 2 ** 30 });
  // Logs of launches are alike: the window holds all of them.
  const params = { [constants.BROTLI_PARAM_LARGE_WINDOW]: 1, [constants.BROTLI_PARAM_LGWIN]: 26 };
  return brotliCompressSync(tar, { params });
}

/** What `tacho report` prints of a run, whatever its exit code: some certificates are invalid. */
function reported(run, cwd, PATH) {
  const options = { cwd, encoding: "utf8", env: { ...process.env, PATH } };
  return execFileSync("sh", ["-c", 'tacho report "$1" 2>&1 || true', "sh", run], options);
}
