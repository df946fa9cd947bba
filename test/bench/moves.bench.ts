import { mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { git } from "../contract/ci/triggers-and-pipelines/setting.ts";
import { ask, fillProjects, isOver, listMoves } from "../support/fixtures/moving-repositories.ts";
import { rootHeaders, rootToken } from "../support/process/fault-client.ts";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type Bench, digits, printTable, verdict } from "./support/figures.ts";
import { startMeasuredOutpost } from "./support/outpost.ts";

const repositories = 200;
/** The files of 5 MB of loose objects, which zlib can compress. */
const files = 40;
const fileBytes = 164_000;
const throughputMin = 0.6;
const p99Max = 3;
/** Between two requests of the lists that are timed. */
const paceMs = 10;

/** A bare repository with loose objects only. Returns its size in bytes. */
async function makeTemplate(folder: string): Promise<number> {
  await git(["init", "-q", "-b", "main", folder]);
  for (let at = 0; at < files; at += 1) {
    const bytes = crypto.getRandomValues(new Uint8Array(65_000));
    const more = crypto.getRandomValues(new Uint8Array(fileBytes * 0.75 - 65_000));
    await Bun.write(`${folder}/file${at}`, Buffer.concat([bytes, more]).toString("base64"));
  }
  const person = ["-c", "user.name=Somebody", "-c", "user.email=somebody@example.test"];
  await git(["-C", folder, "add", "."]);
  await git([...person, "-C", folder, "commit", "-q", "-m", "Everything"]);
  await git(["-C", folder, "config", "core.bare", "true"]);
  return Number((await Bun.$`du -sb ${folder}/.git`.text()).split("\t")[0]);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await work();
  return (performance.now() - begun) / 1000;
}

/** Milliseconds of `GET /projects`, at a steady pace, until `isDone`. */
async function listTimes(origin: string, isDone: () => boolean): Promise<number[]> {
  const times: number[] = [];
  for (let turn = 0; !isDone(); turn += 1) {
    const begun = performance.now();
    const answer = await fetch(`${origin}/api/v4/projects?turn=${turn}`, { headers: rootHeaders });
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`GET /projects answered ${answer.status}`);
    times.push(performance.now() - begun);
    await Bun.sleep(Math.max(0, paceMs - (performance.now() - begun)));
  }
  return times;
}

function p99(times: readonly number[]): number {
  return times.toSorted((one, other) => one - other)[Math.floor(times.length * 0.99)] as number;
}

async function run({ scale }: { readonly scale: number }): Promise<void> {
  await using folder = await createTempFolder();
  const storages = { default: join(folder.path, "one"), storage2: join(folder.path, "two") };
  const count = Math.round(repositories * scale);
  const bytes = (await makeTemplate(join(folder.path, "template"))) * count;
  await using server = await startMeasuredOutpost([
    // The token of the helpers that the tests share.
    ...["--root-token", rootToken],
    ...["--log-level", "warn", "--repository-storages"],
    `default=${storages.default},storage2=${storages.storage2}`,
  ]);
  const { origin } = server;
  const paths: string[] = [];
  for (const id of await fillProjects(origin, count, { files: 0, bytes: 0 })) {
    const { body } = await ask(origin, "GET", `/projects/${id}/storage`);
    const path = `${storages.default}/${body.disk_path}.git`;
    await mkdir(dirname(path), { recursive: true });
    await Bun.$`cp -a ${folder.path}/template/.git ${path}`;
    paths.push(path);
  }
  await Bun.$`sync`;

  const copies = join(folder.path, "copies");
  await mkdir(copies);
  const baselineS = await timed(async () => {
    for (const [at, path] of paths.entries()) {
      await Bun.$`cp -a ${path} ${copies}/${at}`;
      await Bun.$`git -C ${copies}/${at} fsck --full --no-progress`.quiet();
    }
  });
  await rm(copies, { recursive: true });
  await Bun.$`sync`;

  const move = async (from: string, to: string) => {
    const json = { source_storage_name: from, destination_storage_name: to };
    await ask(origin, "POST", "/project_repository_storage_moves", json);
    for (;;) {
      await Bun.sleep(200);
      const { body } = await ask(origin, "GET", "/project_repository_storage_moves?per_page=1");
      if (isOver(body[0]) && (await listMoves(origin)).every(isOver)) break;
    }
    const failed = (await listMoves(origin)).filter(({ state }) => state !== "finished");
    if (failed.length > 0) throw new Error(`a move ended ${failed[0]?.state}: ${failed[0]?.error_message}`);
  };
  const movesS = await timed(() => move("default", "storage2"));
  await Bun.$`sync`;

  let isDone = false;
  const idleEnd = performance.now() + 10_000;
  await listTimes(origin, () => performance.now() > idleEnd - 7_000);
  const idle = p99(await listTimes(origin, () => performance.now() > idleEnd));
  const moving = move("storage2", "default").finally(() => {
    isDone = true;
  });
  const busy = p99(await listTimes(origin, () => isDone));
  await moving;

  const rate = (seconds: number) => `${digits(bytes / 1e6 / seconds)} MB/s`;
  printTable(
    ["", "seconds", "rate", "p99 of GET /projects"],
    [
      [`cp -a and git fsck, ${count} of ${digits(bytes / count / 1e6)} MB`, digits(baselineS), rate(baselineS), ""],
      ["moves", digits(movesS), rate(movesS), `${digits(busy)} ms`],
      ["idle", "", "", `${digits(idle)} ms`],
    ],
  );
  const [throughput, slower] = [baselineS / movesS, busy / idle];
  console.log(`throughput of moves beside cp and fsck: ${verdict(throughput, "at least", throughputMin)}`);
  console.log(`p99 of GET /projects while moving beside idle: ${verdict(slower, "at most", p99Max, " times")}`);
}

export const bench: Bench = { title: "moves of repositories beside `cp -a` and `git fsck`", run };
