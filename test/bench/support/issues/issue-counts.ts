import type { SignedInCaller } from "../../../../src/domain/caller.ts";
import { silentLog } from "../../../../src/lib/log.ts";
import { Access } from "../../../../src/modules/core/access/index.ts";
import { selfAndAncestors } from "../../../../src/modules/core/namespaces/index.ts";
import { users } from "../../../../src/modules/core/users/records.ts";
import { groups } from "../../../../src/modules/groups-and-projects/groups/records.ts";
import { projects } from "../../../../src/modules/groups-and-projects/projects/records.ts";
import { countIssues } from "../../../../src/modules/planning/issue-statistics/index.ts";
import type { IssueFilters, IssueScope } from "../../../../src/modules/planning/issues/index.ts";
import { createServerContext } from "../../../../src/server/bootstrap.ts";
import {
  type Asking,
  countByScan,
  type Instance,
  readableLevels,
  readInstance,
} from "../../../support/checks/issue-scan.ts";
import { configFor } from "../../../support/fixtures/config.ts";
import { memberId, places, questions, selectiveSearches, wideSearches } from "./issue-filters.ts";
import { SqliteIssues } from "./issue-sqlite.ts";

/** Milliseconds of one question on one path by one caller. */
export interface Asked {
  readonly name: string;
  readonly path: string;
  readonly caller: string;
  readonly found: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Of processor time, which busy neighbours do not lengthen as much. */
  readonly p99CpuMs: number;
  /** undefined: not asked of them. */
  readonly scanMs: number | undefined;
  readonly sqliteMs: number | undefined;
}

const turnsOfSearches = 30;
/** A scan and a query of SQLite take long: they are asked one question in so many of the mix. */
const sampled = 12;
/** A question that never takes longer in its first turns is not asked all the others: two thousand of them would take minutes. */
const quickTurns = 20;
const quickMs = 2;
/** A question of which one in a hundred takes longer is asked again: busy neighbours lengthen single ones. */
const suspectMs = 10;
const repeats = 3;

/** Every filter and every pair of them on the three paths, for an administrator and for a member; and searches. */
export async function measureCounts(
  folder: string,
  turns: number,
): Promise<{ mix: Asked[]; selective: Asked[]; wide: Asked[] }> {
  const { context } = await createServerContext(configFor(folder), silentLog);
  const { store } = context;
  const access = context.get(Access);
  store.startBackgroundWork();
  await store.backgroundWorkDone();
  const instance = readInstance(store);
  const sqlite = makeSqlite(instance, (id) => selfAndAncestors(store, id).map((each) => each.id));
  const callers = Object.entries({ administrator: 1, member: memberId }).map(([name, id]) => {
    const user = store.of(users).get(id);
    if (user === undefined) throw new Error(`no user ${id}`);
    const asking: Asking = { user, access, isPaid: true };
    sqlite.setReadable(id, readableLevels(instance, asking, "everywhere"));
    return { name, asking, caller: { user, token: undefined, ipAddress: null } satisfies SignedInCaller };
  });
  const group = store.of(groups).get(places.group);
  const project = store.of(projects).get(places.project);
  if (group === undefined || project === undefined) throw new Error("no such place");
  const scopes: Readonly<Record<string, IssueScope>> = { all: "everywhere", group: { group }, project: { project } };

  function ask(
    asks: Iterable<readonly [string, (turn: number) => IssueFilters]>,
    rounds: number,
    isSampled: (place: number) => boolean,
    isSqlAsked: boolean,
  ): Asked[] {
    const asked: Asked[] = [];
    let place = 0;
    for (const [name, filtersOf] of asks) {
      for (const { name: caller, asking, caller: signedIn } of callers) {
        for (const [path, scope] of Object.entries(scopes)) {
          place += 1;
          const times = quietest(rounds, (turn) => countIssues(context, signedIn, filtersOf(turn), scope));
          const { all } = countIssues(context, signedIn, filtersOf(0), scope);
          const isOne = isSampled(place);
          const scan = isOne ? timed(() => countByScan(instance, asking, filtersOf(0), scope).all) : undefined;
          const sql = isOne && isSqlAsked ? timed(() => sqlite.count(asking, filtersOf(0), scope).all) : undefined;
          for (const other of [scan, sql]) {
            if (other !== undefined && other.result !== all) {
              throw new Error(
                `${name}, ${path}, ${caller}: ${all} found, ${scan?.result} by scan, ${sql?.result} by SQL`,
              );
            }
          }
          const p50Ms = partOf(times.clock, 0.5);
          const [p99Ms, p99CpuMs] = [partOf(times.clock, 0.99), partOf(times.cpu, 0.99)];
          asked.push({ name, path, caller, found: all, p50Ms, p99Ms, p99CpuMs, scanMs: scan?.ms, sqliteMs: sql?.ms });
        }
      }
    }
    return asked;
  }
  const everyOne = () => true;
  ask([...questions()].slice(0, 60), 20, () => false, false);
  return {
    mix: ask(questions(), turns, (place) => place % sampled === 0, true),
    selective: ask(Object.entries(selectiveSearches), turnsOfSearches, (place) => place % 3 === 0, false),
    wide: ask(Object.entries(wideSearches), turnsOfSearches, everyOne, false),
  };
}

function makeSqlite(instance: Instance, placesAbove: (namespaceId: number) => number[]): SqliteIssues {
  return new SqliteIssues(
    instance,
    new Map(instance.projects.map(({ id, namespace_id }) => [id, placesAbove(namespace_id)])),
  );
}

/** All turns only of what is not quick; the quietest of a few, where one in a hundred was slow. */
function quietest(count: number, run: (turn: number) => unknown): ReturnType<typeof timesOf> {
  const first = timesOf(quickTurns, run);
  if (partOf(first.clock, 1) < quickMs) return first;
  let best = timesOf(count, run);
  for (let repeat = 1; repeat < repeats && partOf(best.clock, 0.99) > suspectMs; repeat += 1) {
    const again = timesOf(count, run);
    if (partOf(again.clock, 0.99) < partOf(best.clock, 0.99)) best = again;
  }
  return best;
}

/** Milliseconds on the clock, and of the processor; each in rising order. */
function timesOf(count: number, run: (turn: number) => unknown): { clock: number[]; cpu: number[] } {
  const [clock, cpu]: [number[], number[]] = [[], []];
  for (let turn = 0; turn < count; turn += 1) {
    const used = process.cpuUsage();
    const begun = performance.now();
    run(turn);
    clock.push(performance.now() - begun);
    const { user, system } = process.cpuUsage(used);
    cpu.push((user + system) / 1_000);
  }
  const rising = (a: number, b: number) => a - b;
  return { clock: clock.sort(rising), cpu: cpu.sort(rising) };
}

function timed<R>(run: () => R): { result: R; ms: number } {
  const begun = performance.now();
  const result = run();
  return { result, ms: performance.now() - begun };
}

function partOf(rising: readonly number[], part: number): number {
  return rising[Math.ceil(rising.length * part) - 1] ?? Number.NaN;
}
