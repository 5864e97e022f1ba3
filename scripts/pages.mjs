#!/usr/bin/env node
// Runs every command that README.md and docs/*.md show in a block, in a folder that has what they
// name, one after another:
//   scripts/pages.mjs [--only TEXT] [PAGE...]
// Each has to end well: 0, or 1 where a check does not hold, or 3 where it says that its
// certificate is invalid, or what it was told not to measure. Those on a cluster want KUBECONFIG
// and a cluster-box that is up; they are left out without. What else is left out is named with the
// reason. The tutorials have scripts/tutorials.mjs. That each command is understood is a test of
// the program.
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join, relative, resolve } from "node:path";
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

/** Why a command is not run here. */
const LEFT_OUT = [
  [/RUN\[/, "a form of those above it"],
  [/labs\//, "hours: make articles"],
  [/\.example\b(?!\/team)|\.proto\b|\.binpb|50051/, "names a service that nobody here has; the tests of load have one"],
  [/--context C|--namespace N\b|worker-3/, "names of a cluster of yours"],
  [/native-kit install/, "make native-kit"],
  [/--image REGISTRY/, "wants an image of Tacho in a registry of yours"],
  [/experiment\.yaml --variants native/, "wants an image: make native-image", () => !existsSync(image(root))],
];

/** The command with names that exist here in place of the reader's. */
function here(command, stage) {
  return command
    .replaceAll("4711", String(stage.jvm))
    // Each launch is a Deployment under load for minutes, so there is only a short one.
    .replace(/^(tacho rollout (?:app\.jar|experiment\.yaml).*?)(?: --launches \d+|$)/, "$1 --launches 1 --fresh 5s --for 25s")
    // The shop is no jar of Spring Boot, and cannot be taken apart.
    .replace("image app.jar --variant extracted", `image ${root}/labs/cold-start/service/target/service.jar --variant extracted`)
    .replaceAll("'cluster-box/box load'", `'${box} load'`)
    .replaceAll(/'(ctr -n k8s.io images import|kind load image-archive)'/g, `'${box} load'`)
    // The registry of cluster-box has no TLS certificate.
    .replaceAll(/(--image|--push) registry\.example(\S*)/g, `$1 ${stage.registry}$2 --plain-http`);
}

/** Commands of a page: whole lines of blocks that name no language but the shell. */
function commandsOf(page) {
  const text = readFileSync(page, "utf8").replace(/\\\n\s*/g, "");
  const blocks = [...text.matchAll(/^```(?:sh)?\n(.*?)^```$/gms)].map(([, block]) => block);
  const lines = blocks.flatMap((block) => block.split("\n"));
  return lines
    .map((line) => line.replace(/^\$ /, "").replace(/^target\/release\//, ""))
    .filter((line) => line.startsWith("tacho "))
    .map((line) => line.replace(/ +# .*$/, "").trim());
}

/** A process that is there until it is ended. */
function beside(program, words, options = {}) {
  return spawn(program, words, { stdio: ["ignore", "ignore", "ignore"], ...options });
}

/** What it sends to, as long as it runs: a subject that it starts wants the same port. */
async function servicesFor(command) {
  const ports = ["8080", "8081"].filter((port) => new RegExp(`:${port}\\b|shop\\.(har|postman|json)`).test(command));
  const services = ports.map((port) => beside("node", [join(root, "scripts/pages/service.mjs"), port]));
  if (services.length > 0) await sleep(1000);
  return services;
}

/** Runs it to its end; `record` ends when it has recorded something. */
async function run(command, stage) {
  const began = Date.now();
  const services = await servicesFor(command);
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
    users(join(programs, "kubectl"));
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
