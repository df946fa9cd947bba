import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import type { Json } from "../../support/checks/json.ts";
import { runClientScript } from "../../support/process/client-script.ts";
import { type OutpostProcess, startOutpost } from "../../support/process/outpost-process.ts";

const rootToken = "a-token-for-tests-0123456789";

let outpost: OutpostProcess;
let managed: Record<string, Json>;
let reported: Record<string, Json>;

async function get(path: string): Promise<Json> {
  const answer = await fetch(`${outpost.origin}/api/v4${path}`, { headers: { "PRIVATE-TOKEN": rootToken } });
  expect(answer.status).toBe(200);
  return answer.json();
}

beforeAll(async () => {
  outpost = await startOutpost({ env: { OUTPOST_ROOT_TOKEN: rootToken, OUTPOST_ROOT_PASSWORD: "correct horse" } });
  const script = (name: string) => ["node", join(import.meta.dir, name)];
  managed = await runClientScript(script("gitbeaker-error-tracking.mjs"), { HOST: outpost.origin, TOKEN: rootToken });
  reported = await runClientScript(script("sentry.mjs"), { DSN: managed.key.sentry_dsn });
}, 180_000);

afterAll(async () => {
  await outpost?.[Symbol.asyncDispose]();
});

test("gitbeaker turns error tracking on and off", () => {
  const on = {
    active: true,
    project_name: null,
    tracker_external_url: null,
    sentry_external_url: null,
    api_url: null,
    integrated: true,
  };
  expect(managed.created).toEqual(on);
  expect(managed.off).toEqual({ ...on, active: false });
  expect([managed.on, managed.shown]).toEqual([on, on]);
});

test("gitbeaker makes and lists client keys", () => {
  expect(managed.keys).toHaveLength(2);
  expect(managed.keys[1]).toEqual(managed.key);
  const { host } = new URL(outpost.origin);
  const { public_key, sentry_dsn } = managed.key;
  expect(sentry_dsn).toBe(`http://${public_key}@${host}/api/v4/error_tracking/collector/${managed.projectId}`);
});

test("gitbeaker reports why a call is refused", () => {
  expect(managed.missing).toEqual({ status: 404, description: "404 Error Tracking Setting Not Found" });
  expect(managed.nothing).toMatchObject({ status: 400 });
  expect(managed.removed).toMatchObject({ status: 405 });
});

test("the stock client library gets an answer that its reports were accepted", () => {
  expect(reported).toEqual({ statuses: [200, 200, 200, 200], isFlushed: true });
});

test("its reports appear as errors, equal ones as one error", async () => {
  const path = `/projects/${managed.projectId}/error_tracking/errors`;
  const errors = await get(`${path}?sort=frequency`);
  const told = errors.map(({ type, message, count, platform }: Record<string, unknown>) => ({
    type,
    message,
    count,
    platform,
  }));
  // Two reports of one error are under way at once: the last to arrive gives the message.
  expect(told[0]).toEqual({ type: "RangeError", message: told[0].message, count: 2, platform: "node" });
  expect(["division by 0", "division by 1"]).toContain(told[0].message);
  expect(told.slice(1)).toHaveLength(2);
  expect(told).toContainEqual({ type: "Error", message: "just saying", count: 1, platform: "node" });
  const failed = errors.find(({ type }: Record<string, unknown>) => type === "TypeError");
  expect(await get(`${path}/${failed.id}`)).toMatchObject({
    tags: { level: "fatal", logger: null },
    first_release_version: "shop@1.4.1",
  });
});

test("its events have their stack traces, and large events are complete", async () => {
  const path = `/projects/${managed.projectId}/error_tracking/errors`;
  const [division] = await get(`${path}?query=division`);
  expect(division.culprit).toContain("divide");
  const events = await get(`${path}/${division.id}/events`);
  expect(events).toHaveLength(2);
  for (const event of events) {
    expect(event).toMatchObject({ environment: "staging", level: "error", release: "shop@1.4.1" });
    const frame = event.stack_trace_entries.at(-1);
    expect(frame.function).toBe("divide");
    expect(frame.filename).toEndWith("sentry.mjs");
    const line = frame.context.find(([number]: [number, string]) => number === frame.lineNo);
    expect(line[1]).toContain("throw new RangeError");
  }
  const [failed] = await get(`${path}?query=TypeError`);
  expect((await get(`${path}/${failed.id}/events/latest`)).payload.extra.page.length).toBeGreaterThan(50_000);
});
