#!/usr/bin/env node
// Runs every command that README.md and docs/*.md show in a block, and those in the tables of
// README.md and docs/questions.md, in a folder that has what they name, one after another:
//   scripts/pages.mjs [--only TEXT] [PAGE...]
// Each has to end well: 0, or 1 where a check does not hold, or 3 where it says that its
// certificate is invalid, or what it was told not to measure. Those on a cluster want KUBECONFIG
// and a cluster-box that is up; they are left out without. What else is left out is named with the
// reason, and with what runs it instead; what stands in several places is run once. The tutorials
// have scripts/tutorials.mjs. That each command is understood is a test of the program.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, dirname, join, relative, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { image, makeStage, stageExperiment } from "./pages/stage.mjs";

const root = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const box = join(root, "cluster-box/box");
const hasCluster = process.env.KUBECONFIG !== undefined;

/** Few launches and short phases: what is looked at is whether a command does what it says. */
const env = {
  ...process.env,
  PATH: [join(root, "target/release"), process.env.PATH].join(delimiter),
  TACHO_LAUNCHES: "3",
  TACHO_QUICK: "true",
};

/** Whether native images can be built here. */
const hasBuilder = spawnSync(join(root, "labs/find-graalvm")).status === 0;

/** Why a command is not run here, and what runs it. */
const LEFT_OUT = [
  [/RUN\[/, "a form: --baseline runs/main is run"],
  [/labs\//, "hours: make articles"],
  [/native-kit install/, "make test-native-kit"],
  [/--image REGISTRY/, "wants an image of Tacho in a registry: make test-kubernetes sends by pods"],
  [/ \.\.\.$/, "a part: docs/rollout.md has all of it"],
  [/^tacho trace --levels 8$/, "a part: the tutorial for those who know Arthas has all of it, make tutorials"],
  [/^tacho diagnose$/, "a part: docs/diagnose.md has all of it"],
  [/image .*--variant native|--variants \S*,native/, "wants a builder of images: make native-image", () => !hasBuilder],
  [/experiment\.yaml --variants native/, "wants an image: make parts-cold-start", () => !existsSync(image(root))],
];

/** Pages in whose tables whole commands stand. */
const WITH_TABLES = ["README.md", "questions.md"];

/** The command with names that exist here in place of the reader's. */
function here(command, stage) {
  return command
    .replaceAll("4711", String(stage.jvm))
    .replace(/\bURL$/, "http://127.0.0.1:8080/orders")
    .replace("https://orders.example", "http://127.0.0.1:50051")
    .replace("wss://quotes.example", "ws://127.0.0.1:8080")
    .replace(/--context (C|kind-dev)\b/, `--context ${stage.context}`)
    .replace(/--namespace N\b/, "--namespace measuring")
    .replace(/--node worker-3\b/, `--node ${stage.node}`)
    // Each launch is a Deployment under load for minutes, so there is only a short one.
    .replace(/^(tacho rollout (?:app\.jar|experiment\.yaml).*?)(?: --launches \d+|$)/, "$1 --launches 1 --fresh 5s --for 25s")
    // The shop is no jar of Spring Boot, and cannot be taken apart.
    .replace("image app.jar --variant extracted", `image ${root}/labs/cold-start/service/target/service.jar --variant extracted`)
    .replaceAll("'ctr -n k8s.io images import'", `'${box} load'`)
    // The registry of cluster-box has no TLS certificate.
    .replaceAll(/(--image|--push) registry\.example(\S*)/g, `$1 ${stage.registry}$2 --plain-http`);
}

/** Lines of blocks that name no language but the shell. */
function linesOf(text) {
  const blocks = [...text.matchAll(/^```(\S*)[^\n]*\n(.*?)^```$/gms)];
  return blocks
    .filter(([, language]) => ["", "sh"].includes(language))
    .flatMap(([, , block]) => block.split("\n"))
    .map((line) => line.replace(/^\$ /, "").replace(/^target\/release\//, ""))
    .map((line) => line.replace(/ +# .*$/, "").trim());
}

/** What stands between backticks in the rows of tables. */
function cellsOf(text) {
  const rows = [...text.matchAll(/^\|.*$/gm)].map(([row]) => row);
  return rows.flatMap((row) => [...row.matchAll(/`([^`]+)`/g)].map(([, code]) => code));
}

/** Commands of a page. */
function commandsOf(page) {
  const text = readFileSync(page, "utf8").replace(/\\\n\s*/g, "");
  const cells = WITH_TABLES.includes(basename(page)) ? cellsOf(text) : [];
  return [...linesOf(text), ...cells].filter((command) => command.startsWith("tacho "));
}

/** A process that is there until it is ended. */
function beside(program, words, options = {}) {
  return spawn(program, words, { stdio: ["ignore", "ignore", "ignore"], ...options });
}

/** What it sends to, as long as it runs: a subject that it starts wants the same port. */
async function servicesFor(command) {
  const names = [
    ["8080", "service.mjs", /:8080\b|shop\.(har|postman|json)|plan\.jmx/],
    ["8081", "service.mjs", /:8081\b|shop\.(har|postman|json)/],
    ["50051", "grpc.mjs", /:50051\b/],
  ];
  const called = names.filter(([, , pattern]) => pattern.test(command));
  const services = called.map(([port, name]) => beside("node", [join(root, "scripts/pages", name), port]));
  if (services.length > 0) await sleep(1000);
  return services;
}

/** Runs it to its end; `record` ends when it has recorded something. */
async function run(command, stage) {
  const began = Date.now();
  const services = await servicesFor(here(command, stage));
  stageExperiment(root, stage.folder);
  if (command.startsWith("tacho init ")) rmSync(join(stage.folder, "experiment.yaml"));
  if (command.startsWith("tacho record ")) {
    for (const file of ["shop.jsonl", "shop.csv"]) rmSync(join(stage.folder, file), { force: true });
  }
  const child = spawn("bash", ["-c", `exec ${here(command, stage)}`], { cwd: stage.folder, env });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (more) => (said += more));
  const ended = new Promise((ends) => child.on("close", (code, signal) => ends(code ?? signal)));
  if (command.startsWith("tacho record ")) {
    await sleep(2000);
    for (let i = 0; i < 5; i += 1) await fetch("http://127.0.0.1:9090/orders").catch(() => null);
    child.kill("SIGINT");
  }
  const late = setTimeout(() => child.kill("SIGINT"), 20 * 60_000);
  const code = await ended;
  clearTimeout(late);
  for (const service of services) service.kill("SIGKILL");
  const isTold = /certificate[^.]*invalid|invalid[^.]*certificate|not measured/i.test(said);
  const isWell = code === 0 || code === 1 || (code === 3 && isTold);
  const isEnded = command.startsWith("tacho record ") && code === 130;
  return { code, said, isWell: isWell || isEnded, took: Math.round((Date.now() - began) / 1000) };
}

/** Two Deployments and their Services, as the pages speak of them. */
function users(kubectl) {
  const file = join(stage.folder, "users.tar");
  const words = ["image", "app.jar", "--name", "localhost/users:1", "--output", file, "--quiet"];
  execFileSync("tacho", words, { env, cwd: stage.folder });
  execFileSync(box, ["load", file]);
  spawnSync(kubectl, ["create", "namespace", "shop"]);
  spawnSync(kubectl, ["create", "namespace", "measuring"]);
  const manifest = `apiVersion: apps/v1
kind: Deployment
metadata: {name: users}
spec:
  replicas: 2
  selector: {matchLabels: {app: users}}
  template:
    metadata: {labels: {app: users}}
    spec:
      containers:
        - name: users
          image: localhost/users:1
          imagePullPolicy: Never
          env: [{name: PORT, value: "8080"}]
          readinessProbe: {httpGet: {path: /orders, port: 8080}, periodSeconds: 1}
---
apiVersion: v1
kind: Service
metadata: {name: users}
spec: {selector: {app: users}, ports: [{port: 80, targetPort: 8080}]}
`;
  for (const namespace of ["default", "shop"]) {
    execFileSync(kubectl, ["apply", "-n", namespace, "-f", "-"], { input: manifest });
    execFileSync(kubectl, ["rollout", "status", "deployment/users", "-n", namespace, "--timeout=120s"]);
  }
}

const words = process.argv.slice(2);
const only = words[0] === "--only" ? words.splice(0, 2)[1] : "";
const docs = readdirSync(join(root, "docs")).filter((name) => name.endsWith(".md"));
const pages = words.length > 0 ? words : [join(root, "README.md"), ...docs.map((name) => join(root, "docs", name))];
const jdk = execFileSync(join(root, "labs/find-jdk"), ["25"], { encoding: "utf8" }).trim();
const stage = { folder: mkdtempSync(join(tmpdir(), "tacho-pages-")) };
const besides = [];
const seen = new Set();
let wrong = 0;
function clearAway() {
  for (const one of besides) one.kill("SIGKILL");
  rmSync(stage.folder, { recursive: true, force: true });
}
for (const signal of ["SIGINT", "SIGTERM"]) {
  process.on(signal, () => {
    clearAway();
    process.exit(130);
  });
}
try {
  makeStage(root, stage.folder, jdk, (given) => {
    const ran = spawnSync("tacho", given, { cwd: stage.folder, env, encoding: "utf8" });
    if (![0, 1, 3].includes(ran.status)) throw new Error(`tacho ${given.join(" ")}: ${ran.stderr}`);
  });
  const jvm = beside(join(jdk, "bin/java"), ["-XX:NativeMemoryTracking=summary", "-jar", "orders.jar", "busy"], {
    cwd: stage.folder,
    env: { ...process.env, PORT: "8099" },
  });
  besides.push(jvm);
  stage.jvm = jvm.pid;
  if (hasCluster) {
    stage.registry = execFileSync(box, ["registry"], { encoding: "utf8" }).trim();
    const programs = execFileSync(box, ["build"], { encoding: "utf8" }).trim();
    const kubectl = join(programs, "kubectl");
    const told = (...words) => execFileSync(kubectl, words, { encoding: "utf8" }).trim();
    env.PATH = [env.PATH, programs].join(delimiter);
    stage.context = told("config", "current-context");
    stage.node = told("get", "nodes", "-o", "jsonpath={.items[0].metadata.name}");
    users(kubectl);
  }
  await sleep(3000);
  for (const page of pages) {
    for (const command of commandsOf(page).filter((command) => command.includes(only))) {
      const name = `${relative(root, resolve(page))}: ${command}`;
      const why = LEFT_OUT.find(([pattern, , holds]) => pattern.test(command) && (holds?.() ?? true))?.[1];
      const onCluster = command.includes("--on kubernetes") || command.includes("registry.example");
      const noCluster = onCluster && !hasCluster && "wants a cluster: KUBECONFIG=$(cluster-box/box up)";
      if (why || noCluster) {
        console.log(`left out  ${name}  (${why ?? noCluster})`);
        continue;
      }
      if (seen.has(command)) {
        console.log(`as above  ${name}`);
        continue;
      }
      seen.add(command);
      const { code, said, isWell, took } = await run(command, stage);
      console.log(`${isWell ? "ran" : "WRONG"}  ${name}  (${code}, ${took} s)`);
      if (isWell) continue;
      wrong += 1;
      console.log(said.trimEnd().split("\n").slice(-30).join("\n").replace(/^/gm, "  | "));
    }
  }
} finally {
  clearAway();
}
console.log(wrong === 0 ? "every command that was run ended well" : `${wrong} did not`);
process.exit(wrong === 0 ? 0 : 1);
