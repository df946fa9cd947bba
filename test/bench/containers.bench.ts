import { join } from "node:path";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { type ContainerCounts, fillContainers } from "./support/containers.ts";
import { type Bench, digits, median, printTable, verdict } from "./support/figures.ts";
import { createToken, createUsers, type MeasuredOutpost, rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const small: ContainerCounts = { groups: 100, projects: 1_000 };
const large: ContainerCounts = { groups: 10_000, projects: 100_000 };
const memberId = 2;
const turns = 200;
const warmUpTurns = 200;
const ratioMax = 1.5;

const lists = [
  "/projects?",
  "/projects?membership=true&",
  "/projects?search=place-a&",
  "/projects?order_by=name&sort=asc&visibility=public&",
  "/projects?pagination=keyset&order_by=id&sort=asc&",
] as const;

/** A server on a store of this size, after a stop and a start. */
async function prepare(folder: string, counts: ContainerCounts): Promise<{ server: MeasuredOutpost; member: string }> {
  const first = await startMeasuredOutpost(["--log-level", "warn"], folder);
  await createUsers(first.origin, 1);
  const member = await createToken(first.origin, memberId);
  await first[Symbol.asyncDispose]();
  await fillContainers(folder, counts, memberId);
  return { server: await startMeasuredOutpost(["--log-level", "warn"], folder), member };
}

/** Milliseconds of one list; each URL differs, so that no kept page answers. */
async function timeOf(origin: string, path: string, turn: number, token: string | undefined): Promise<number> {
  const begun = performance.now();
  const answer = await fetch(`${origin}/api/v4${path}turn=${turn}`, {
    headers: token === undefined ? {} : { "PRIVATE-TOKEN": token },
  });
  await answer.arrayBuffer();
  if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - begun;
}

async function run(): Promise<void> {
  await using folder = await createTempFolder();
  const few = await prepare(join(folder.path, "small"), small);
  await using _few = few.server;
  const many = await prepare(join(folder.path, "large"), large);
  await using _many = many.server;
  const callers = { anonymous: () => undefined, member: (of: typeof few) => of.member, administrator: () => rootToken };
  // The first hundreds of requests of a server are those of its compiler.
  for (let turn = 0; turn < warmUpTurns; turn += 1) {
    for (const path of lists) {
      for (const its of [few, many])
        await timeOf(its.server.origin, path, -turn, turn % 2 === 0 ? its.member : undefined);
    }
  }
  const rows: string[][] = [];
  let worst = 0;
  for (const path of lists) {
    for (const [caller, tokenOf] of Object.entries(callers)) {
      const times: [number[], number[]] = [[], []];
      // Side by side: what disturbs the machine disturbs both.
      for (let turn = -turns / 4; turn < turns; turn += 1) {
        for (const [place, its] of [few, many].entries()) {
          const ms = await timeOf(its.server.origin, path, turn, tokenOf(its));
          if (turn >= 0) (times[place] as number[]).push(ms);
        }
      }
      const [one, other] = [median(times[0]), median(times[1])];
      if (!path.includes("search=")) worst = Math.max(worst, other / one);
      rows.push([`${path.slice(0, -1)}, ${caller}`, digits(one), digits(other), digits(other / one)]);
    }
  }
  printTable(["list, caller", "1k p50 ms", "100k p50 ms", "ratio"], rows);
  console.log(`  the worst without a search: ${verdict(worst, "at most", ratioMax, " times")}`);
}

export const bench: Bench = { title: "lists of 1k projects in 100 groups beside 100k in 10k", run };
