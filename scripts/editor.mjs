#!/usr/bin/env node
// Checks the schema of `tacho schema experiment` in Red Hat's YAML language server, which editors
// use. It has to report nothing for every experiment of the labs, to report a wrong key, and
// to offer the keys that are allowed.
//   scripts/editor.mjs          (installs yaml-language-server into target/tools once)
import { execFileSync, spawn } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const VERSION = "2.0.0";
const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const tools = join(root, "target/tools");
const server = join(tools, "node_modules/yaml-language-server");
const schema = join(tools, "experiment.schema.json");

const installed = join(server, "package.json");
if (!existsSync(installed) || JSON.parse(readFileSync(installed, "utf8")).version !== VERSION) {
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", "--prefix", tools, `yaml-language-server@${VERSION}`], { stdio: ["ignore", "ignore", "inherit"] });
}
writeFileSync(schema, execFileSync(join(root, "target/release/tacho"), ["schema", "experiment"]));

/** A language server, spoken to over its standard input and output (LSP 3.17, base protocol). */
class Server {
  constructor(...command) {
    this.process = spawn(command[0], command.slice(1), { stdio: ["pipe", "pipe", "inherit"] });
    this.left = Buffer.alloc(0);
    this.answers = new Map();
    this.diagnosed = new Map();
    this.next = 0;
    this.process.stdout.on("data", (bytes) => this.take(bytes));
  }

  take(bytes) {
    this.left = Buffer.concat([this.left, bytes]);
    for (;;) {
      const head = this.left.indexOf("\r\n\r\n");
      if (head === -1) return;
      const length = Number(/content-length: (\d+)/i.exec(this.left.subarray(0, head))[1]);
      if (this.left.length < head + 4 + length) return;
      const message = JSON.parse(this.left.subarray(head + 4, head + 4 + length));
      this.left = this.left.subarray(head + 4 + length);
      this.hear(message);
    }
  }

  hear(message) {
    if (message.method === "textDocument/publishDiagnostics") {
      const { uri, diagnostics } = message.params;
      this.diagnosed.get(uri)?.(diagnostics);
    } else if (message.method === "workspace/configuration") {
      const of = ({ section }) => (section === "yaml" ? SETTINGS.yaml : {});
      this.say({ id: message.id, result: message.params.items.map(of) });
    } else if (message.method && message.id !== undefined) {
      this.say({ id: message.id, result: null });
    } else if (message.id !== undefined) {
      this.answers.get(message.id)?.(message.result);
    }
  }

  say(message) {
    const text = JSON.stringify({ jsonrpc: "2.0", ...message });
    this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  }

  ask(method, params) {
    const id = (this.next += 1);
    return new Promise((answered) => {
      this.answers.set(id, answered);
      this.say({ id, method, params });
    });
  }

  /** Opens a document; gives what is said of it. */
  open(uri, text) {
    return new Promise((said) => {
      this.diagnosed.set(uri, said);
      this.say({ method: "textDocument/didOpen", params: { textDocument: { uri, languageId: "yaml", version: 1, text } } });
    });
  }
}

const SETTINGS = {
  yaml: { validate: true, completion: true, schemas: { [pathToFileURL(schema).href]: ["*.yaml"] }, schemaStore: { enable: false } },
};
const editor = new Server(process.execPath, join(server, "bin/yaml-language-server"), "--stdio");
await editor.ask("initialize", {
  processId: process.pid,
  rootUri: pathToFileURL(root).href,
  capabilities: { workspace: { configuration: true }, textDocument: { completion: { completionItem: {} } } },
});
editor.say({ method: "initialized", params: {} });
editor.say({ method: "workspace/didChangeConfiguration", params: { settings: SETTINGS } });

let failed = 0;
const expect = (holds, what) => {
  if (!holds) console.error(`✗ ${what}`);
  failed += holds ? 0 : 1;
};

// Every experiment that there is.
const files = execFileSync("git", ["ls-files", "--", "labs/**/*.yaml"], { cwd: root, encoding: "utf8" }).trim().split("\n");
const is = (file) => {
  const text = readFileSync(join(root, file), "utf8");
  return /^tacho: 1$/m.test(text) && !/^claims:/m.test(text);
};
const experiments = files.filter((file) => !file.includes("/held-back/") && is(file));
for (const file of experiments) {
  const said = await editor.open(pathToFileURL(join(root, file)).href, readFileSync(join(root, file), "utf8"));
  expect(said.length === 0, `${file}: ${said[0]?.message} (line ${(said[0]?.range.start.line ?? 0) + 1})`);
}

// A key that is none, and a value of another kind.
const uri = pathToFileURL(join(root, "wrong.yaml")).href;
const said = await editor.open(uri, "tacho: 1\nsubject: {artifact: app.jar}\nlaunchs: 5\nthreshold: [1]\n");
const messages = said.map(({ message }) => message);
expect(messages.some((message) => message.includes("launchs")), `of a wrong key it says: ${messages.join("; ")}`);
expect(said.some(({ range }) => range.start.line === 3), `of a wrong value it says: ${messages.join("; ")}`);

// What can stand here.
const other = pathToFileURL(join(root, "begun.yaml")).href;
await editor.open(other, "tacho: 1\n\n");
const offered = await editor.ask("textDocument/completion", { textDocument: { uri: other }, position: { line: 1, character: 0 } });
const labels = (offered?.items ?? offered ?? []).map(({ label }) => label);
for (const key of ["subject", "variants", "limits", "phases", "launches"]) {
  expect(labels.includes(key), `\`${key}\` is not offered, but ${labels.join(", ")}`);
}
editor.process.kill();
console.log(failed === 0 ? `${experiments.length} experiments without a word, a wrong key named, ${labels.length} keys offered` : `${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
