import type { Json } from "../support/checks/json.ts";
import { type Bench, digits, printTable, verdict } from "./support/figures.ts";
import { rootToken, startMeasuredOutpost } from "./support/outpost.ts";

const alertsPerSecond = 1_000;
const identities = 50;
const seconds = 30;
const connections = 16;
const probesMs = 10;
const receiversMsMax = 50;
const slowerMax = 3;

/** Milliseconds of each answer. */
type Times = number[];

interface Probed {
  readonly version: Times;
  readonly users: Times;
}

/** The responses to a storm of alerts. */
interface Storm {
  readonly times: Times;
  readonly sent: readonly number[];
  readonly statuses: ReadonlyMap<number, number>;
}

async function run({ scale }: { scale: number }): Promise<void> {
  await using outpost = await startMeasuredOutpost(["--log-level", "warn"]);
  const call = (method: string, path: string, json?: object) => api(outpost.origin, method, path, json);
  const group = await call("POST", "/groups", { name: "ops", path: "ops" });
  const { id } = await call("POST", "/projects", { name: "web", namespace_id: group.id });
  const integration = await call("POST", `/projects/${id}/alert_management_http_integrations`, { name: "storm" });
  const lengthS = seconds * scale;
  // The first seconds of a server are those of its compiler.
  await storm(integration, 3, "warm");
  await probeFor(outpost.origin, 2_000);
  const idle = await probeFor(outpost.origin, 1_000 * Math.min(10, lengthS));
  const over = new AbortController();
  const probing = probe(outpost.origin, over.signal);
  const stormed = await storm(integration, lengthS, "storm");
  over.abort();
  const busy = await probing;
  const [counted, expected] = [await countsOf(call, id, "storm"), stormed.sent.toSorted(rising)];
  printTable(
    ["", "requests", "p50 ms", "p99 ms", "of version"],
    [
      row("receiver", stormed.times, busy.version),
      row("GET /version, idle", idle.version, idle.version),
      row("GET /version, storm", busy.version, busy.version),
      row("GET /users, idle", idle.users, idle.version),
      row("GET /users, storm", busy.users, busy.version),
    ],
  );
  const failed = [...stormed.statuses].filter(([status]) => status !== 200);
  const rate = stormed.times.length / lengthS;
  console.log(`  ${digits(rate)} alerts a second; answers other than 200: ${failed.join(" ") || "none"}`);
  console.log(
    `  one alert for each identity with the exact count: ${Bun.deepEquals(counted, expected) ? "held" : "MISSED"}`,
  );
  console.log(`  receivers' p99: ${verdict(p99(stormed.times), "at most", receiversMsMax, " ms")}`);
  const slower = (name: keyof Probed) => verdict(p99(busy[name]) / p99(idle[name]), "at most", slowerMax, " times");
  console.log(`  p99 in the storm against idle: GET /version ${slower("version")}; GET /users ${slower("users")}`);
}

/** Sends at an even pace from a few connections, whatever the answers take. */
async function storm(integration: { url: string; token: string }, lengthS: number, name: string): Promise<Storm> {
  const times: Times = [];
  const sent = Array.from({ length: identities }, () => 0);
  const statuses = new Map<number, number>();
  const gapMs = (1_000 * connections) / alertsPerSecond;
  const startedMs = performance.now();
  const headers = { Authorization: `Bearer ${integration.token}`, "Content-Type": "application/json" };
  const from = async (connection: number) => {
    for (let turn = 0; turn * gapMs < lengthS * 1_000; turn += 1) {
      await waitUntil(startedMs + turn * gapMs + (connection * gapMs) / connections);
      const which = (turn * connections + connection) % identities;
      const title = `${name} ${which}`;
      const body = JSON.stringify({
        title,
        service: "storage",
        severity: "high",
        hosts: [`db-${turn}`],
        labels: { which },
      });
      const sentMs = performance.now();
      const answer = await fetch(integration.url, { method: "POST", headers, body });
      await answer.arrayBuffer();
      times.push(performance.now() - sentMs);
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      sent[which] = (sent[which] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: connections }, (_, connection) => from(connection)));
  return { times, sent, statuses };
}

async function probeFor(origin: string, ms: number): Promise<Probed> {
  return probe(origin, AbortSignal.timeout(ms));
}

/** Asks for one page after the other until it is told to stop. */
async function probe(origin: string, signal: AbortSignal): Promise<Probed> {
  const times: Probed = { version: [], users: [] };
  while (!signal.aborted) {
    for (const [name, path] of [
      ["version", "/version"],
      ["users", "/users?per_page=1"],
    ] as const) {
      const startedMs = performance.now();
      await api(origin, "GET", path);
      times[name].push(performance.now() - startedMs);
      await waitUntil(startedMs + probesMs);
    }
  }
  return times;
}

/** The event counts of the alerts, in ascending order. */
async function countsOf(call: (method: string, path: string) => Promise<Found>, id: number, name: string) {
  const found = await call("GET", `/projects/${id}/alert_management_alerts?per_page=100&search=${name}`);
  return found.map(({ event_count }: Found) => event_count).sort(rising);
}

type Found = Json;

async function api(origin: string, method: string, path: string, json?: object): Promise<Found> {
  const answer = await fetch(`${origin}/api/v4${path}`, {
    method,
    headers: { "PRIVATE-TOKEN": rootToken, "Content-Type": "application/json" },
    ...(json === undefined ? {} : { body: JSON.stringify(json) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status} ${await answer.text()}`);
  return answer.json();
}

async function waitUntil(ms: number): Promise<void> {
  const left = ms - performance.now();
  if (left > 0) await new Promise((resolve) => setTimeout(resolve, left));
}

const rising = (one: number, other: number) => one - other;

function at(times: Times, part: number): number {
  return times.toSorted(rising)[Math.min(times.length - 1, Math.floor(times.length * part))] ?? Number.NaN;
}

function p99(times: Times): number {
  return at(times, 0.99);
}

function row(name: string, times: Times, version: Times): string[] {
  return [name, `${times.length}`, digits(at(times, 0.5)), digits(p99(times)), digits(p99(times) / p99(version))];
}

export const bench: Bench = {
  title: `${alertsPerSecond} alerts a second of ${identities} identities from ${connections} connections, and what others notice`,
  run,
};
