import { cpus } from "node:os";
import type { Bench } from "./support/figures.ts";

/** In the order in which they run; each is one file, loaded only when it is asked for. */
const benches: Readonly<Record<string, () => Promise<{ bench: Bench }>>> = {
  read: () => import("./read.bench.ts"),
  store: () => import("./store.bench.ts"),
  http: () => import("./http.bench.ts"),
  beside: () => import("./beside.bench.ts"),
  bodies: () => import("./bodies.bench.ts"),
  syncs: () => import("./syncs.bench.ts"),
  start: () => import("./start.bench.ts"),
  sandbox: () => import("./sandbox.bench.ts"),
  scale: () => import("./scale.bench.ts"),
  issues: () => import("./issues.bench.ts"),
  containers: () => import("./containers.bench.ts"),
  members: () => import("./members.bench.ts"),
  moves: () => import("./moves.bench.ts"),
  git: () => import("./git.bench.ts"),
  "git-limits": () => import("./git-limits.bench.ts"),
  audit: () => import("./audit.bench.ts"),
  inspector: () => import("./inspector.bench.ts"),
  alerts: () => import("./alerts.bench.ts"),
  calibration: () => import("./calibration.bench.ts"),
  console: () => import("./console.bench.ts"),
};

const usage = `usage: bun run bench [${Object.keys(benches).join("|")}]… [--scale N]

Ratios, side by side in one run. --scale makes the store of the read bench N times as large.`;

function refuse(reason: string): never {
  console.error(`${reason}\n\n${usage}`);
  process.exit(2);
}

const names: string[] = [];
let scale = 1;
const given = process.argv.slice(2);
while (given.length > 0) {
  const word = given.shift() as string;
  if (word === "--help" || word === "-h") {
    console.log(usage);
    process.exit(0);
  }
  if (word === "--scale") {
    scale = Number(given.shift());
    if (!(scale > 0)) refuse("--scale takes a number above 0");
  } else if (word in benches) names.push(word);
  else refuse(`no bench ${word}`);
}

console.log(`${cpus().length} cores, ${process.platform} ${process.arch}, Bun ${Bun.version}`);
for (const name of names.length > 0 ? names : Object.keys(benches)) {
  const { bench } = await (benches[name] as () => Promise<{ bench: Bench }>)();
  console.log(`\n## ${name}: ${bench.title}\n`);
  await bench.run({ scale });
}
