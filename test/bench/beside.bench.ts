import { type Bench, calmness, digits, interleave, median, printTable, ratio, verdict } from "./support/figures.ts";
import { drive, generator } from "./support/load.ts";
import { createProject, createToken, createUsers, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const seconds = 2;
const readers = 8;
const writers = 4;
/** Of the reads that the CPU left by the writes would give alone. */
const keptMin = 0.7;

interface Measured {
  readonly reads: number;
  readonly writes: number;
  /** CPU of the server in all threads, in microseconds a second. */
  readonly cpu: number;
}

async function run(): Promise<void> {
  await using server = await startMeasuredOutpost();
  await createUsers(server.origin, 1_000);
  const project = await createProject(server.origin, "bench");
  const token = await createToken(server.origin, 2);
  const body = JSON.stringify({ description: "nightly {n}" });
  const read = () =>
    drive({ url: `${server.origin}/api/v4/users?per_page=20`, token, isVaried: true, connections: readers, seconds });
  const write = () =>
    drive({
      ...{ url: `${server.origin}/api/v4/projects/${project}/triggers`, token: rootToken },
      ...{ connections: writers, seconds, body },
    });
  const measure = async (reads: boolean, writes: boolean): Promise<Measured> => {
    const [before, startedMs] = [server.cpuMicros(), performance.now()];
    const [done, written] = await Promise.all([reads ? read() : undefined, writes ? write() : undefined]);
    const cpu = ((server.cpuMicros() - before) * 1000) / (performance.now() - startedMs);
    return { reads: done?.rate ?? 0, writes: written?.rate ?? 0, cpu };
  };
  for (let count = 0; count < 3; count += 1) await measure(true, true);
  const rounds = await interleave(
    {
      "reads alone": () => measure(true, false),
      "writes alone": () => measure(false, true),
      "reads beside writes": () => measure(true, true),
    },
    (results) => results["reads alone"].reads,
  );
  const { of } = rounds;
  printTable(
    ["", "reads/s", "writes/s", "CPU µs/s"],
    Object.entries(of).map(([name, results]) => [
      name,
      ...(["reads", "writes", "cpu"] as const).map((value) => digits(median(results.map((each) => each[value])))),
    ]),
  );
  // A write costs the same CPU beside reads as alone: the rest is that of the reads.
  const kept = of["reads beside writes"].map((both, round) => {
    const alone = of["reads alone"][round] as Measured;
    const written = of["writes alone"][round] as Measured;
    const cpuOfReads = both.cpu - (both.writes * written.cpu) / written.writes;
    return both.reads / cpuOfReads / (alone.reads / alone.cpu);
  });
  console.log(
    `  rate beside the writes: ${digits(ratio(of["reads beside writes"], of["reads alone"], ({ reads }) => reads))}`,
  );
  console.log(`  reads for the same CPU, beside writes and alone: ${verdict(median(kept), "at least", keptMin)}`);
  console.log(`  load by ${generator}; ${calmness(rounds)}`);
}

export const bench: Bench = {
  title: `${readers} connections that read users beside ${writers} that create trigger tokens`,
  run,
};
