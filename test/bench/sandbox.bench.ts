import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { createUsers, type MeasuredOutpost, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const fewUsers = 1_000;
const manyUsers = 100_000;
const changes = 1_000;
const writers = 16;
/** Milliseconds scatter, so that a round is the median of several. */
const turnsOfRound = 3;

interface Measured {
  readonly checkpointMs: number;
  readonly restoreMs: number;
  readonly resetMs: number;
}

async function send(server: MeasuredOutpost, method: string, path: string, body?: object): Promise<void> {
  const answer = await fetch(`${server.origin}${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
}

async function msOf(work: () => Promise<void>): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}

/** Changes a thousand users, spread over all of them. */
async function change(server: MeasuredOutpost, users: number, note: string): Promise<void> {
  let done = 0;
  const write = async () => {
    while (done < changes) {
      const id = 2 + Math.floor((done++ * users) / changes);
      await send(server, "PUT", `/api/v4/users/${id}`, { note });
    }
  };
  await Promise.all(Array.from({ length: writers }, write));
}

async function measure(server: MeasuredOutpost, users: number, round: number): Promise<Omit<Measured, "resetMs">> {
  const [checkpoints, restores]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < turnsOfRound; turn += 1) {
    checkpoints.push(await msOf(() => send(server, "PUT", "/-/sandbox/checkpoints/bench")));
    await change(server, users, `round ${round}.${turn}`);
    restores.push(await msOf(() => send(server, "POST", "/-/sandbox/checkpoints/bench/restore")));
  }
  return { checkpointMs: median(checkpoints), restoreMs: median(restores) };
}

/** A reset after a thousand users were made. */
async function measureReset(server: MeasuredOutpost): Promise<number> {
  const resets: number[] = [];
  for (let turn = 0; turn < turnsOfRound; turn += 1) {
    await createUsers(server.origin, changes);
    resets.push(await msOf(() => send(server, "POST", "/-/sandbox/reset")));
  }
  return median(resets);
}

async function run(): Promise<void> {
  const start = () => startMeasuredOutpost(["--sandbox", "--log-level", "warn"]);
  await using small = await start();
  await using large = await start();
  await using fresh = await start();
  await createUsers(small.origin, fewUsers);
  await createUsers(large.origin, manyUsers);
  const rounds = await interleave(
    {
      small: async (round) => ({ ...(await measure(small, fewUsers, round)), resetMs: await measureReset(fresh) }),
      large: async (round) => ({ ...(await measure(large, manyUsers, round)), resetMs: Number.NaN }),
    },
    (results) => results.small.restoreMs,
  );
  const { small: few, large: many } = rounds.of;
  const of = (results: readonly Measured[], value: (measured: Measured) => number) =>
    digits(median(results.map(value)));
  printTable(
    ["", "checkpoint ms", "restore ms", "reset ms"],
    Object.entries(rounds.of).map(([name, results]) => [
      `${name === "small" ? fewUsers : manyUsers} users`,
      of(results, ({ checkpointMs }) => checkpointMs),
      of(results, ({ restoreMs }) => restoreMs),
      of(results, ({ resetMs }) => resetMs),
    ]),
  );
  const held = (name: string, results: readonly Measured[], value: (measured: Measured) => number, most: number) =>
    console.log(`  ${name}: ${verdict(median(results.map(value)), "at most", most, " ms")}`);
  held("checkpoint", many, ({ checkpointMs }) => checkpointMs, 5);
  held("restore of 1,000 changes", many, ({ restoreMs }) => restoreMs, 50);
  held("reset after 1,000 new users", few, ({ resetMs }) => resetMs, 50);
  const grown = ratio(many, few, ({ restoreMs }) => restoreMs);
  console.log(`  restore in 100 times as many documents: ${verdict(grown, "at most", 2, " times")}`);
  console.log(`  ${calmness(rounds)}`);
}

export const bench: Bench = {
  title: "checkpoint, restore and reset of a sandbox with 100,000 users beside one with 1,000",
  run,
};
