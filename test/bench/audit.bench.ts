import { join } from "node:path";
import type { Server } from "bun";
import { Matcher } from "../../src/http/entry/matcher.ts";
import { createRequestHandler } from "../../src/http/entry/request-handler.ts";
import { toDateTime } from "../../src/lib/datetime.ts";
import { silentLog } from "../../src/lib/log.ts";
import { createInitialAdmin } from "../../src/modules/accounts/initial-setup/index.ts";
import { productModules } from "../../src/modules/index.ts";
import { createServerContext } from "../../src/server/bootstrap.ts";
import { configFor } from "../support/fixtures/config.ts";
import { createTempFolder } from "../support/process/temp-folder.ts";
import { appendEvents, firstAt, minuteMs } from "./support/audit-events.ts";
import { type Bench, digits, median, verdict } from "./support/figures.ts";
import { rootToken } from "./support/outpost.ts";

const small = 50_000;
const rounds = 400;
const slowerMax = 2;

async function run({ scale }: { scale: number }): Promise<void> {
  const large = Math.round(1_000_000 * scale);
  await using folder = await createTempFolder();
  const few = await measure(folder.path, small);
  const many = await measure(folder.path, large);
  for (const name of Object.keys(few.costs)) {
    const [before, after] = [few.costs[name] as number, many.costs[name] as number];
    const costs = `${digits(before)} ms of ${small}, ${digits(after)} ms of ${large}`;
    console.log(`  ${name}: ${costs}: ${verdict(after / before, "at most", slowerMax, " times")}`);
  }
  for (const [count, { filledMs, start }] of [
    [small, few],
    [large, many],
  ] as const) {
    console.log(
      `  ${count}: appended and written back in ${digits(filledMs / 1000)} s; a start takes ${digits(start.ms)} ms and ${digits(start.megabytes)} MB`,
    );
  }
}

/**
 * Opens the store again after filling it: the memory and pending writes of the filling are no part of a page's cost.
 */
async function measure(dataFolder: string, count: number) {
  const startedAt = performance.now();
  const filling = await createServerContext(configFor(dataFolder, { rootToken }), silentLog);
  createInitialAdmin(filling.context, { token: rootToken, password: "" }, { read: () => undefined, write() {} });
  await appendEvents(filling.context.store, count);
  await filling.context.store.checkpoint();
  await filling.context.store.close();
  const filledMs = performance.now() - startedAt;
  const { context, metrics } = await createServerContext(configFor(dataFolder, { rootToken }), silentLog);
  const { store } = context;
  const front = createRequestHandler({
    matcher: new Matcher(false),
    context,
    operations: productModules.operations,
    externalUrl: undefined,
    trustedProxies: undefined,
    isSecure: false,
    metrics,
  });
  const server = { requestIP: () => null, timeout() {} } as unknown as Server<undefined>;
  const ask = async (path: string) => {
    const request = new Request(path.startsWith("http") ? path : `http://127.0.0.1/api/v4${path}`, {
      headers: { "PRIVATE-TOKEN": rootToken },
    });
    const started = performance.now();
    const answer = await front.fetch(request, server);
    const ms = performance.now() - started;
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.status} ${await answer.text()}`);
    return { ms, next: /<([^>]+)>; rel="next"/.exec(answer.headers.get("link") ?? "")?.[1] };
  };
  const costs = {
    "newest page": await typical(() => ask("/audit_events")),
    "a day in the middle": await typical((round) => ask(`/audit_events?${dayAround(count, round)}`)),
    "a day of one type": await typical((round) => ask(`/audit_events?entity_type=Group&${dayAround(count, round)}`)),
    "one project": await typical((round) =>
      ask(`/audit_events?entity_type=Project&entity_id=${1 + ((round * 31) % 1_000)}`),
    ),
    "one type": await typical(() => ask("/audit_events?entity_type=User")),
    "a page of a keyset walk": await walk(ask),
  };
  await store.close();
  const worker = join(import.meta.dir, "support/audit-worker.ts");
  const started = Bun.spawnSync([process.execPath, worker, dataFolder]);
  if (started.exitCode !== 0) throw new Error(started.stderr.toString());
  const start = JSON.parse(started.stdout.toString()) as { ms: number; megabytes: number };
  return { costs: costs as Readonly<Record<string, number>>, filledMs, start };
}

/** The middle one of many, after as many that warm up. */
async function typical(ask: (round: number) => Promise<{ ms: number }>): Promise<number> {
  for (let round = 0; round < rounds; round += 1) await ask(round);
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) times.push((await ask(round)).ms);
  return median(times);
}

async function walk(ask: (path: string) => Promise<{ ms: number; next: string | undefined }>): Promise<number> {
  const times: number[] = [];
  let path = "/audit_events?pagination=keyset&per_page=20";
  for (let page = 0; page < rounds; page += 1) {
    const { ms, next } = await ask(path);
    times.push(ms);
    if (next === undefined) break;
    path = next;
  }
  return median(times);
}

function dayAround(count: number, round: number): string {
  const start = firstAt + (Math.floor(count / 2) + round * 7) * minuteMs;
  return `created_after=${toDateTime(start)}&created_before=${toDateTime(start + 1440 * minuteMs)}`;
}

export const bench: Bench = { title: "Audit events: pages, filters and a start, few beside many", run };
