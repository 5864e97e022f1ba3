// The folder in which the commands of the pages run: all files that they name.
import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DESCRIPTORS, PROTO } from "./orders.mjs";

const TARGET = "http://127.0.0.1:8080";

/** Requests as a browser has recorded them (HAR 1.2). */
const har = {
  log: {
    version: "1.2",
    creator: { name: "a browser", version: "1" },
    entries: ["/orders", "/orders/7"].map((path) => ({
      startedDateTime: "2026-11-29T12:00:00.000Z",
      time: 12,
      request: { method: "GET", url: TARGET + path, httpVersion: "HTTP/1.1", headers: [], queryString: [], cookies: [], headersSize: -1, bodySize: 0 },
      response: { status: 200, statusText: "OK", httpVersion: "HTTP/1.1", headers: [], cookies: [], content: { size: 2, mimeType: "application/json" }, redirectURL: "", headersSize: -1, bodySize: 2 },
      cache: {},
      timings: { send: 0, wait: 12, receive: 0 },
    })),
  },
};

const postman = {
  info: { name: "shop", schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json" },
  item: [{ name: "orders", request: { method: "GET", url: "{{baseUrl}}/orders" } }],
};

const environment = { name: "qa", values: [{ key: "baseUrl", value: TARGET, enabled: true }] };

/** A test plan of JMeter, with one request. */
const plan = `<?xml version="1.0" encoding="UTF-8"?>
<jmeterTestPlan version="1.2" properties="5.0" jmeter="5.6.3">
  <hashTree>
    <TestPlan guiclass="TestPlanGui" testclass="TestPlan" testname="Shop" enabled="true"/>
    <hashTree>
      <ThreadGroup guiclass="ThreadGroupGui" testclass="ThreadGroup" testname="Customers" enabled="true">
        <intProp name="ThreadGroup.num_threads">20</intProp>
        <longProp name="ThreadGroup.duration">10</longProp>
        <boolProp name="ThreadGroup.scheduler">true</boolProp>
        <elementProp name="ThreadGroup.main_controller" elementType="LoopController">
          <intProp name="LoopController.loops">-1</intProp>
        </elementProp>
      </ThreadGroup>
      <hashTree>
        <HTTPSamplerProxy guiclass="HttpTestSampleGui" testclass="HTTPSamplerProxy" testname="Orders" enabled="true">
          <stringProp name="HTTPSampler.protocol">http</stringProp>
          <stringProp name="HTTPSampler.domain">127.0.0.1</stringProp>
          <stringProp name="HTTPSampler.port">8080</stringProp>
          <stringProp name="HTTPSampler.path">/orders</stringProp>
          <stringProp name="HTTPSampler.method">GET</stringProp>
          <boolProp name="HTTPSampler.use_keepalive">true</boolProp>
        </HTTPSamplerProxy>
        <hashTree/>
      </hashTree>
    </hashTree>
  </hashTree>
</jmeterTestPlan>
`;

const claims = `tacho: 1
article: {title: Saving microservices, author: A. Writer, year: 2021, question: Is it worth it?}
runs:
  - {name: start, experiment: start.yaml}
  - {name: counts, command: [cat, counts.json]}
claims:
  - {says: It is ready within a minute, run: start, metric: ready_ms, of: jar, same: "< 1min"}
  - {says: It looks eight times, run: counts, pointer: /look-ups, same: 8..8}
`;

const start = `tacho: 1
name: start
subject: {artifact: app.jar, ready: {http: /orders}}
variants: [jar]
requests: [GET /orders]
phases: [{cold: {requests: 5}}]
launches: 3
`;

/** An image of the lab's service, which is built by its own target. */
export function image(root) {
  return join(root, "labs/native/target/images/boot-web");
}

/** The jar and the WAR of a lab, and that image where it is built. */
function experiment(root) {
  const of = (path) => join(root, "labs", path);
  return `tacho: 1
name: ping
subject: {ready: {http: /ping, timeout: 3min}}
variants:
  - {name: jar, kind: jar, artifact: ${of("cold-start/service/target/service.jar")}}
  - {name: war, kind: war, artifact: ${of("cold-start/service-war/target/service-war.war")}}
  - {name: native, kind: exec, command: [${image(root)}], artifact: ${image(root)}, only-if: possible}
requests: [GET /ping]
limits: {cpu: 1, memory: 512MiB}
`;
}

/** Compiles the shop, and makes jars of it: as it is, and of a build that looks for more. */
function jars(root, folder, jdk) {
  const classes = join(folder, "classes");
  const sources = join(root, "scripts/pages/shop/com/acme");
  const files = readdirSync(sources).map((name) => join(sources, name));
  const jar = (name) =>
    execFileSync(join(jdk, "bin/jar"), ["--create", "--file", join(folder, name), "--main-class", "com.acme.OrderController", "-C", classes, "."]);
  execFileSync(join(jdk, "bin/javac"), ["--release", "17", "-d", classes, ...files]);
  for (const name of ["app.jar", "old.jar", "orders.jar"]) jar(name);
  mkdirSync(join(folder, "target"));
  copyFileSync(join(folder, "app.jar"), join(folder, "target/app.jar"));
  const slower = join(folder, "slower");
  mkdirSync(slower);
  for (const file of files) {
    const text = readFileSync(file, "utf8").replace('"shop.times", 1', '"shop.times", 20');
    writeFileSync(join(slower, file.slice(sources.length + 1)), text);
  }
  execFileSync(join(jdk, "bin/javac"), ["--release", "17", "-d", classes, ...readdirSync(slower).map((name) => join(slower, name))]);
  jar("new.jar");
}

/** Writes the experiment: `tacho init` must find none, and every other command needs one. */
export function stageExperiment(root, folder) {
  writeFileSync(join(folder, "experiment.yaml"), experiment(root));
}

/** Makes all of it. `tacho` runs the program there, with these words. */
export function makeStage(root, folder, jdk, tacho) {
  jars(root, folder, jdk);
  const json = (name, value) => writeFileSync(join(folder, name), JSON.stringify(value));
  json("shop.har", har);
  json("shop.postman_collection.json", postman);
  json("qa.postman_environment.json", environment);
  // Requests of which one part has no value: it is filled in by the address that is given.
  json("shop.json", postman);
  json("user.json", { firstName: "A", lastName: "B" });
  json("counts.json", { "look-ups": 8 });
  json("order.json", { id: "C-18" });
  writeFileSync(join(folder, "orders.proto"), PROTO);
  writeFileSync(join(folder, "shop.binpb"), DESCRIPTORS);
  writeFileSync(join(folder, "plan.jmx"), plan);
  copyFileSync(join(root, "crates/understand/gc-log/tests/logs/hotspot-25-g1.log"), join(folder, "gc.log"));
  writeFileSync(join(folder, "claims.yaml"), claims);
  writeFileSync(join(folder, "start.yaml"), start);
  stageExperiment(root, folder);
  // Runs that were made before, by the names that the pages give them.
  const made = (to, words) => {
    const runs = join(folder, "made");
    tacho([...words, "--runs", runs, "--quiet"]);
    mkdirSync(join(folder, "runs"), { recursive: true });
    renameSync(join(runs, readdirSync(runs)[0]), join(folder, "runs", to));
  };
  made("20261127-101500-start", ["run", "start.yaml"]);
  for (const [to, jar] of [["main", "old.jar"], ["pr", "new.jar"]]) {
    made(to, ["diagnose", jar, "--request", "GET /orders", "--quick", "--launches", "3"]);
  }
  tacho(["image", "app.jar", "--output", "base.tar", "--quiet"]);
  if (!existsSync(join(folder, "base.tar"))) throw new Error("no base image was made");
}
