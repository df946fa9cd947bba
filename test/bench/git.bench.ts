import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { ObjectStore } from "../../src/git/packing/object-store.ts";
import { oidOf } from "../../src/git/packing/oid-table.ts";
import { createRandom } from "../support/checks/random.ts";
import { runGit } from "../support/git/stock-git.ts";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { addressOf, cloneTimed, measureBeside, runTimed } from "./support/git-clients.ts";
import { startMeasured } from "./support/measured-process.ts";
import { createProject, startMeasuredOutpost } from "./support/outpost.ts";

const rateMin = 0.5;
const memoryMbMax = 268;
const otherMsMax = 100;
const comparedScaleMax = 4;
const bytesOfFile = 24_000;
const filesOfCommit = 40;
/** Files that a commit changes by a line, so that packs have deltas. */
const changesOfCommit = 20;

/** A bare repository of some 50 MB and 10,000 objects for each step of the scale. */
async function makeRepository(path: string, scale: number): Promise<void> {
  runGit(".", ["init", "-q", "--bare", "-b", "main", path]);
  const child = Bun.spawn(["git", "-C", path, "fast-import", "--quiet"], { stdin: "pipe", stderr: "inherit" });
  const random = createRandom(7);
  const contents = new Map<string, string>();
  const commits = 112 * scale;
  for (let at = 0; at < commits; at += 1) {
    const parts = [
      `commit refs/heads/main\ncommitter Ann <ann@example.com> ${1_700_000_000 + at} +0000\ndata 6\nchange\n`,
    ];
    const paths = [...contents.keys()].slice(-200);
    const put = (name: string, text: string) => {
      contents.set(name, text);
      parts.push(`M 100644 inline ${name}\ndata ${Buffer.byteLength(text)}\n${text}\n`);
    };
    for (let file = 0; file < filesOfCommit; file += 1) {
      // Two letters a byte: it compresses to half.
      const text = Buffer.from(crypto.getRandomValues(new Uint8Array(bytesOfFile / 2))).toString("hex");
      put(`d${at % 50}/e${file % 7}/f${at}-${file}`, text);
    }
    for (let change = 0; change < changesOfCommit && paths.length > 0; change += 1) {
      const name = paths[random.integer(0, paths.length - 1)] as string;
      put(name, `${contents.get(name)}\nline ${at}`);
    }
    for (const name of [...contents.keys()].slice(0, -400)) contents.delete(name);
    child.stdin.write(parts.join(""));
    await child.stdin.flush();
  }
  await child.stdin.end();
  if ((await child.exited) !== 0) throw new Error("git fast-import failed");
  runGit(path, ["-c", "pack.threads=2", "repack", "-adq"]);
}

async function readRates(repository: string): Promise<{ readonly git: number; readonly own: number }> {
  const listed = runGit(repository, ["cat-file", "--batch-check=%(objectname)", "--batch-all-objects"]);
  const oids = listed.trim().split("\n");
  const child = Bun.spawn(["git", "-C", repository, "cat-file", "--batch"], {
    stdin: new Blob([`${oids.join("\n")}\n`]),
    stdout: "pipe",
  });
  const startedMs = performance.now();
  for await (const _ of child.stdout);
  const git = oids.length / (performance.now() - startedMs);
  using store = new ObjectStore(repository);
  const ownMs = performance.now();
  for (const oid of oids) store.read(oidOf(oid));
  return { git, own: oids.length / (performance.now() - ownMs) };
}

async function run({ scale }: { readonly scale: number }): Promise<void> {
  await using folder = await createTempFolder();
  const source = join(folder.path, "source.git");
  await makeRepository(source, scale);
  const [packName = ""] = readdirSync(`${source}/objects/pack`).filter((name) => name.endsWith(".pack"));
  const { size } = Bun.file(`${source}/objects/pack/${packName}`);
  const objects = Number(/in-pack: (\d+)/.exec(runGit(source, ["count-objects", "-v"]))?.[1]);
  console.log(`  ${objects} objects, ${digits(size / 1e6)} MB as a pack`);
  await using outpost = await startMeasuredOutpost([], join(folder.path, "data"));
  mkdirSync(join(folder.path, "peer"));
  const program = join(import.meta.dir, "support/peers/git-http-backend.ts");
  await using peer = await startMeasured([process.execPath, program, join(folder.path, "peer")]);
  const ours = (name: string) => addressOf(outpost, name);
  const push = async (address: string) => runTimed(["-C", source, "push", "-q", address, "main"]);
  const clone = (address: string) => cloneTimed(address, join(folder.path, "clone.git"));
  const pushToOurs = async (name: string) => {
    await createProject(outpost.origin, name);
    return push(ours(name));
  };
  const pushToPeer = async (name: string) => {
    const path = join(folder.path, "peer", `${name}.git`);
    runGit(".", ["init", "-q", "--bare", "-b", "main", path]);
    for (const each of ["http.receivepack", "receive.fsckObjects"]) runGit(path, ["config", each, "true"]);
    return push(`${peer.origin}/${name}.git`);
  };
  const pushed = await measureBeside(outpost, () => pushToOurs("p"));
  const cloned = await measureBeside(outpost, () => clone(ours("p")));
  for (const [name, { moreMb, p99 }] of Object.entries({ push: pushed, clone: cloned })) {
    console.log(`  memory of a ${name}: ${verdict(moreMb, "at most", memoryMbMax, " MB")}`);
    console.log(`  p99 of others beside a ${name}: ${verdict(p99, "at most", otherMsMax, " ms")}`);
  }
  // Nobody waits for six rounds of a gigabyte.
  if (scale > comparedScaleMax) return;
  await pushToPeer("p");
  const rounds = await interleave(
    {
      "push, git http-backend": (round) => pushToPeer(`p${round}`),
      push: (round) => pushToOurs(`p${round}`),
      "clone, git http-backend": () => clone(`${peer.origin}/p.git`),
      clone: () => clone(ours("p")),
    },
    (results) => results["push, git http-backend"],
  );
  const { of } = rounds;
  printTable(
    ["", "seconds", "MB/s"],
    Object.entries(of).map(([name, seconds]) => [name, digits(median(seconds)), digits(size / 1e6 / median(seconds))]),
  );
  const pushRate = ratio(of["push, git http-backend"], of.push, (seconds) => seconds);
  const cloneRate = ratio(of["clone, git http-backend"], of.clone, (seconds) => seconds);
  console.log(`  push, of the rate of git http-backend: ${verdict(pushRate, "at least", rateMin)}`);
  console.log(`  clone, of the rate of git http-backend: ${verdict(cloneRate, "at least", rateMin)}`);
  const { git, own } = await readRates(source);
  console.log(`  reading all objects, of the rate of git cat-file --batch: ${verdict(own / git, "at least", rateMin)}`);
  console.log(`  ${calmness(rounds)}`);
}

export const bench: Bench = { title: "pushes and clones, beside git http-backend; --scale 20 has 1 GB", run };
