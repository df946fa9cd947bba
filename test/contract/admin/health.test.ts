import { expect, test } from "bun:test";
import { users } from "../../../src/modules/core/users/records.ts";
import { rootToken, startWorld } from "../../support/fixtures/world.ts";
import { until } from "../../support/process/fault-client.ts";
import { beginSlowRequest } from "../../support/process/slow-request.ts";

const world = await startWorld();

test("health, readiness and liveness say ok without credentials", async () => {
  for (const name of ["health", "readiness", "liveness"]) {
    const { status, body } = await world.call("GET", `/-/${name}`);
    expect({ name, status, body }).toEqual({ name, status: 200, body: { status: "ok" } });
  }
});

test("they refuse other methods with an error", async () => {
  const { status, headers } = await world.call("POST", "/-/health");
  expect({ status, allow: headers.get("allow") }).toEqual({ status: 405, allow: "OPTIONS, HEAD, GET" });
});

test("metrics count requests by the pattern of their operation, and describe the store", async () => {
  const ann = await world.user({ username: "ann" });
  await world.get("/-/metrics");
  for (let i = 0; i < 3; i += 1) await world.get(`/users/${ann.id}`);
  await world.get("/users/987654");
  const { status, headers, text } = await world.call("GET", "/-/metrics", { token: rootToken });
  expect(status).toBe(200);
  expect(headers.get("content-type")).toStartWith("text/plain; version=0.0.4");
  const requests = 'outpost_http_request_duration_seconds_count{method="GET",route="/users/:id"';
  expect(text).toContain(`${requests},status="2xx"} 3`);
  expect(text).toContain(`${requests},status="4xx"} 1`);
  expect(text).toContain('outpost_http_request_duration_seconds_count{method="POST",route="/users",status="2xx"} 1');
  expect(text).toContain(
    'outpost_http_request_duration_seconds_bucket{method="POST",route="/users",status="2xx",le="5"} 1',
  );
  expect(text).toContain('outpost_http_responses_total{status="404"} 1');
  expect(text).toContain("outpost_http_requests_in_flight 1");
  expect(text).toContain('outpost_store_documents{collection="users"} 2');
  expect(text).toContain("outpost_store_writable 1");
  expect(text).toMatch(/outpost_store_journal_bytes [1-9]\d+/);
  expect(text).toMatch(
    /outpost_build_info\{version="[\d.]+",api_version="17.11.0",revision="\w{8}",edition="ultimate"\} 1/,
  );
  expect(text).toContain("outpost_mails_unsent 0");
  expect(text).toContain("outpost_log_lines_dropped_total 0");
  expect(text).toMatch(/^outpost_event_loop_holds_total \d+$/m);
  expect(text).toMatch(/^outpost_event_loop_longest_hold_seconds [\d.]+$/m);
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).not.toContain("987654");
});

test("metrics show which operation and which job holds the event loop or waits", async () => {
  const seen: unknown[] = [];
  const { activity } = world.context;
  const look = () => seen.push([activity.running(), activity.underWay()]);
  world.store.watch(users, look);
  const request = await beginSlowRequest(world.origin, "/api/v4/users", rootToken, {
    ...{ username: "slow", name: "Slow", email: "slow@people.example", force_random_password: true },
  });
  await until("the request waits for its body", () => activity.underWay().includes("POST /users"));
  expect(await request.finish()).toStartWith("HTTP/1.1 201");
  expect(seen).toContainEqual(["POST /users", ["POST /users"]]);
  await until("nothing is under way", () => activity.underWay().length === 0);
  expect(activity.running()).toBeUndefined();
});

test("metrics show the journal's writes and syncs, and the lag of the checkpoint", async () => {
  await world.rootPasswordStored();
  const figureOf = async (name: string) => {
    const { text } = await world.call("GET", "/-/metrics");
    return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
  };
  const names = [
    ...["outpost_journal_written_lines_total", "outpost_journal_written_bytes_total"],
    ...["outpost_journal_sync_duration_seconds_count", "outpost_store_transactions"],
  ];
  const before = await Promise.all(names.map(figureOf));
  await world.user({ username: "bea" });
  const after = await Promise.all(names.map(figureOf));
  for (const [place, name] of names.entries()) {
    expect([name, (after[place] ?? 0) > (before[place] ?? 0)]).toEqual([name, true]);
  }
  expect(await figureOf("outpost_checkpoint_lag_transactions")).toBeGreaterThan(0);
  expect(await figureOf("outpost_checkpoint_dirty_segments")).toBeGreaterThan(0);
  const written = await figureOf("outpost_checkpoint_segments_total");
  await world.store.checkpoint();
  expect(await figureOf("outpost_checkpoint_lag_transactions")).toBe(0);
  expect(await figureOf("outpost_checkpoint_dirty_segments")).toBe(0);
  expect(await figureOf("outpost_checkpoint_segments_total")).toBeGreaterThan(written);
});

test("metrics are valid for Prometheus: every sample has a type, and buckets rise to the count", async () => {
  const { text } = await world.call("GET", "/-/metrics");
  const types = new Map([...text.matchAll(/^# TYPE (\S+) (\w+)$/gm)].map(([, name = "", type = ""]) => [name, type]));
  for (const line of text.split("\n").filter((each) => each !== "" && !each.startsWith("#"))) {
    const [, name = ""] = /^([a-z_]+)(?:\{[^{}]*(?:"[^"]*"[^{}]*)*\})? \S+$/.exec(line) ?? [];
    const known = types.has(name) || types.get(name.replace(/_(bucket|sum|count)$/, "")) === "histogram";
    expect([line, known]).toEqual([line, true]);
  }
  const buckets = [...text.matchAll(/^outpost_journal_sync_duration_seconds_bucket\{le="\S+"\} (\d+)$/gm)].map(
    (match) => Number(match[1]),
  );
  expect(buckets).toEqual(buckets.toSorted((a, b) => a - b));
  expect(buckets.at(-1)).toBe(Number(/^outpost_journal_sync_duration_seconds_count (\d+)$/m.exec(text)?.[1]));
});

test("administrators see the checks, other callers do not", async () => {
  const ann = await world.user({ username: "anna" });
  for (const name of ["health", "readiness"]) {
    expect((await world.call("GET", `/-/${name}`, { token: ann.token })).body).toEqual({ status: "ok" });
    const { body } = await world.get(`/-/${name}`);
    expect(body).toEqual({
      status: "ok",
      checks: {
        disk: { status: "ok", free_bytes: expect.any(Number) },
        journal: { status: "ok", bytes: expect.any(Number), transactions_on_disk: expect.any(Number) },
        search: { status: expect.stringMatching(/^(ok|building)$/) },
      },
    });
    expect(body.checks.journal.transactions_on_disk).toBeGreaterThan(0);
  }
});
