// One step with a store of many issues, in a process of its own. Arguments: step, folder, number. Prints JSON.
import { systemClock } from "../../../../src/domain/clock.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { systemRandomness } from "../../../../src/lib/randomness.ts";
import { collections } from "../../../../src/modules/index.ts";
import { issues } from "../../../../src/modules/planning/issues/records.ts";
import { type AnyCollectionDeclaration, Store } from "../../../../src/store/index.ts";
import { measureCounts } from "./issue-counts.ts";
import { fillAround, fillIssues } from "./issue-world.ts";

function open(folder: string, own: readonly AnyCollectionDeclaration[]): Promise<Store> {
  const onDiskFailure = (error: unknown) => {
    throw error;
  };
  return Store.open({
    folder,
    collections: own,
    clock: systemClock,
    randomness: systemRandomness,
    log: silentLog,
    onDiskFailure,
  });
}

async function fill(folder: string, own: readonly AnyCollectionDeclaration[], make: typeof fillIssues, count: number) {
  const store = await open(folder, own);
  await make(store, count);
  await store.close();
  return { count };
}

/** The system gets freed memory back a little after the garbage collection. */
async function rssBytes(): Promise<number> {
  for (let i = 0; i < 5; i += 1) {
    Bun.gc(true);
    await Bun.sleep(200);
  }
  return process.memoryUsage().rss;
}

/** Memory of the issues alone, without and with their text index. */
async function memory(folder: string) {
  const before = await rssBytes();
  const begun = performance.now();
  const store = await open(folder, [issues]);
  const openMs = performance.now() - begun;
  const count = store.of(issues).size;
  const opened = await rssBytes();
  store.startBackgroundWork();
  await store.backgroundWorkDone();
  const searchable = await rssBytes();
  let jsonBytes = 0;
  for (let id = 1; id <= 1_000; id += 1) jsonBytes += Buffer.byteLength(JSON.stringify(store.of(issues).get(id)));
  return {
    count,
    openMs,
    jsonBytes: jsonBytes / 1_000,
    bytesEach: (opened - before) / count,
    textBytesEach: (searchable - opened) / count,
  };
}

const [step = "", folder = "", number = "0"] = process.argv.slice(2);
const steps: Readonly<Record<string, () => unknown>> = {
  "fill-issues": () => fill(folder, [issues], fillIssues, Number(number)),
  "fill-around": () => fill(folder, collections, fillAround, Number(number)),
  memory: () => memory(folder),
  counts: () => measureCounts(folder, Number(number)),
};
const run = steps[step];
if (run === undefined) throw new Error(`no step ${step}`);
// Waited for: a pipe takes 64 kB at a time, and what is not in it yet would go with the process.
await Bun.write(Bun.stdout, `${JSON.stringify(await run())}\n`);
process.exit(0);
